// f(x)
// CP0199
#include <tuple>
struct Own {
  double values[2];
  template <int I> double &get() { return values[I]; }
};
template <> struct std::tuple_size<Own> : std::integral_constant<std::size_t, 2> {};
template <std::size_t I> struct std::tuple_element<I, Own> {
  typedef double type;
};
double f(double x) {
  Own own{{x, x}};
  auto &[a, b] = own;
  return a * b;
}
