// Thrust's linear congruential engines and uniform distributions, with the numbers that the real ones give: for the front
// end and for the host backend. Their other engines, and normal distributions, are refused by name.
#ifndef CLADPY_THRUST_HOST_RANDOM_H
#define CLADPY_THRUST_HOST_RANDOM_H

#include <cuda_runtime.h>

#include <cstdint>

namespace thrust {
namespace random {

// Of 32 bits and without an increment, as those that have names.
template <class T, T a, T c, T m> class linear_congruential_engine {
  static_assert(sizeof(T) == 4 && c == 0 && m != 0, "Thrust: engines of 32 bits without an increment");

public:
  typedef T result_type;
  static const T multiplier = a, increment = c, modulus = m;
  static const T min = 1u, max = m - 1u, default_seed = 1u;

  __host__ __device__ explicit linear_congruential_engine(T s = default_seed) { seed(s); }
  __host__ __device__ void seed(T s = default_seed) { x_ = s % m == 0 ? 1 : s % m; }
  __host__ __device__ T operator()() { return x_ = static_cast<T>(static_cast<unsigned long long>(a) * x_ % m); }
  __host__ __device__ void discard(unsigned long long z) {
    unsigned long long factor = a, power = 1;
    for (; z > 0; z >>= 1) {
      if (z & 1) power = power * factor % m;
      factor = factor * factor % m;
    }
    x_ = static_cast<T>(power * x_ % m);
  }
  __host__ __device__ bool operator==(const linear_congruential_engine &other) const { return x_ == other.x_; }
  __host__ __device__ bool operator!=(const linear_congruential_engine &other) const { return x_ != other.x_; }

private:
  T x_;
};

typedef linear_congruential_engine<std::uint32_t, 16807, 0, 2147483647> minstd_rand0;
typedef linear_congruential_engine<std::uint32_t, 48271, 0, 2147483647> minstd_rand;
typedef minstd_rand default_random_engine;

template <class T = double> class uniform_real_distribution {
public:
  typedef T result_type;
  __host__ __device__ explicit uniform_real_distribution(T a = T(0), T b = T(1)) : a_(a), b_(b) {}
  __host__ __device__ void reset() {}
  __host__ __device__ T a() const { return a_; }
  __host__ __device__ T b() const { return b_; }
  __host__ __device__ T min() const { return a_; }
  __host__ __device__ T max() const { return b_; }
  template <class Engine> __host__ __device__ T operator()(Engine &engine) {
    T result = static_cast<T>(engine() - Engine::min);
    result /= T(1) + static_cast<T>(Engine::max - Engine::min);
    return result * (b_ - a_) + a_;
  }

private:
  T a_, b_;
};

template <class T = int> class uniform_int_distribution {
public:
  typedef T result_type;
  __host__ __device__ explicit uniform_int_distribution(T a, T b) : a_(a), b_(b) {}
  __host__ __device__ void reset() {}
  __host__ __device__ T a() const { return a_; }
  __host__ __device__ T b() const { return b_; }
  __host__ __device__ T min() const { return a_; }
  __host__ __device__ T max() const { return b_; }
  template <class Engine> __host__ __device__ T operator()(Engine &engine) {
    uniform_real_distribution<double> real(static_cast<double>(a_), static_cast<double>(b_) + 1.0);
    return static_cast<T>(real(engine));
  }

private:
  T a_, b_;
};

}  // namespace random

using random::default_random_engine;
using random::linear_congruential_engine;
using random::minstd_rand;
using random::minstd_rand0;
using random::uniform_int_distribution;
using random::uniform_real_distribution;

}  // namespace thrust

#endif
