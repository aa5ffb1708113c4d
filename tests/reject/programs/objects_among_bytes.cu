// f(x)
// CP0136
#include <memory>
double f(double x) {
  auto p = std::make_shared<double>(x);
  return *p * *p;
}
