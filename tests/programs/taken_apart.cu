// Structured bindings of what the C++ library returns: tuples and arrays.
#include <array>
#include <tuple>

static std::tuple<double, double, int> several(double x) { return {x * x, x + 1.0, 2}; }
static std::array<double, 2> two(double x) { return {x * x, x}; }

double taken_apart(double x, double y) {
  const auto [a, b, n] = several(x);
  auto [c, d] = two(y);
  c *= d;
  auto both = std::make_tuple(x, y);
  auto &[u, v] = both;
  u *= v;
  std::array<std::array<double, 2>, 2> rows{};
  auto &[first, second] = rows;
  first[0] = y;
  second[1] = b;
  return a * b * n + c * d + std::get<0>(both) + rows[0][0] * rows[1][1] * rows[0][1];
}
