// Structured bindings of what the C++ library returns: tuples and arrays.
#include <array>
#include <tuple>

static std::tuple<double, double, int> several(double x) { return {x * x, x + 1.0, 2}; }
struct Moved {  // copies are plain, though it says how it moves
  double v = 1;
  Moved() = default;
  Moved(const Moved &) = default;
  Moved(Moved &&other) : v(other.v) { other.v = 0; }
  Moved &operator=(const Moved &) = default;
  Moved &operator=(Moved &&other) {
    v = -other.v;
    return *this;
  }
};
struct Held {
  double v;
  explicit Held(double x) : v(x) {}
};
struct Tag {
  explicit Tag(int) {}
  int three() const { return 3; }
};
struct Both : Held, Tag {  // which lie on each other
  explicit Both(double x) : Held(x), Tag(1) {}
};
static std::array<double, 2> two(double x) { return {x * x, x}; }

double taken_apart(double x, double y) {
  const auto [a, b, n] = several(x);
  auto [c, d] = two(y);
  c *= d;
  auto both = std::make_tuple(x, y);
  auto &[u, v] = both;
  u *= v;
  std::tuple<double, double, int> whole = several(u), again = whole;
  std::get<0>(again) *= std::get<1>(whole);
  const auto [g, h, m] = again;
  Moved from, to = from;
  from.v = y;
  to.v *= x + from.v;
  from = to;
  const Both tagged(x * y);
  to.v *= tagged.v * tagged.three();
  std::array<std::array<double, 2>, 2> rows{};
  auto &[first, second] = rows;
  first[0] = y;
  second[1] = b;
  return a * b * n + c * d + std::get<0>(both) + rows[0][0] * rows[1][1] * rows[0][1] + g * h * m * from.v * to.v;
}
