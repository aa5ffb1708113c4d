// f(x)
// CP0133
#include <functional>
struct Layer {
  double w;
  std::function<double(double)> act;
};
double f(double x, const Layer &layer) { return layer.act(x); }
