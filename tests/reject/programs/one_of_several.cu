// f(x)
// CP0230
#include <variant>
double f(double x) {
  std::variant<double, int> held = x;
  return std::get<double>(held) * x;
}
