// f(x)
// CP0136
#include <memory>
struct Base {
  double v;
};
struct Derived : Base {
  double w;
};
double f(double x) {
  std::shared_ptr<Base> p = std::make_shared<Derived>();
  return p->v * x;
}
