// f(x)
// What such an object holds is as large as itself, and more.
#include <functional>
double f(double x) {
  std::function<double(double)> scaled = [x](double t) { return t * x; };
  auto inner = scaled;
  scaled = [inner](double t) { return inner(t) + t; };
  return scaled(x);
}
