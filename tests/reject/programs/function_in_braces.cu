// f(x)
// CP0135
#include <functional>
struct Layer {
  double w;
  std::function<double(double)> act;
};
double f(double x) {
  Layer layer{x, [](double t) { return t * t; }};
  return layer.act(layer.w);
}
