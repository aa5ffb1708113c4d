// f(p, x)
// How many owners an object of the caller's has, the library knows.
#include <memory>
struct Body {
  double m, v;
};
double f(const std::shared_ptr<Body> &p, double x) {
  auto own = p;
  return own->m * x;
}
