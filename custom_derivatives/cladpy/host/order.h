// The order in which blocks and threads run. Part of <cladpy/host.h>.
#ifndef CLADPY_HOST_ORDER_H
#define CLADPY_HOST_ORDER_H

namespace cladpy {
namespace host {

enum Order { order_forward = 0, order_reverse = 1, order_random = 2 };

// The order in which blocks, and threads between barriers, run in the next launches.
struct Config {
  int order = order_forward;
  std::uint64_t seed = 0;
};
CLADPY_HOST_HIDDEN inline Config config;

// A stream of random numbers that is the same everywhere (splitmix64).
class Random {
public:
  Random() = default;
  explicit Random(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ull + 0x632be59bd9b4e019ull) {}

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
  }

  template <class T> void shuffle(T *items, std::uint64_t count) {
    for (std::uint64_t k = count; k > 1; --k) {
      const std::uint64_t other = next() % k;
      const T item = items[k - 1];
      items[k - 1] = items[other];
      items[other] = item;
    }
  }

private:
  std::uint64_t state_ = 0;
};

} // namespace host
} // namespace cladpy

#endif
