// f(x)
// CP0133
#include <functional>
#include <vector>
double f(double x) {
  std::vector<std::function<double(double)>> all;
  all.push_back([](double t) { return t * t; });
  return all[0](x);
}
