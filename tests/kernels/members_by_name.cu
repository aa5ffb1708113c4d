// Member functions, function objects and lambdas that are asked for by their names.
#include <cmath>

namespace model {

struct Line {
  double slope, start;
  double at(double x) const { return start + slope * x * x; }
  double at(double x, int n) const { return n * at(x) * x; }
  double move(double by) {
    start *= by;
    return slope * start;
  }
  double &moved(double by) {
    start += by * slope;
    return start;
  }
  double spent(double x) && { return start * x; }
  double kept(double &x) volatile {
    x *= slope;
    return x * start;
  }
  double seen(double x) const volatile { return slope * x * x; }
  template <class T>
  T scaled(T x) const {
    return slope * std::sin(x);
  }
  __host__ __device__ double both(double x) const { return exp(slope * x); }
  static double plain(double x) { return x * x; }
  double operator()(double x, double y) const { return slope * x * y + start; }
  double operator[](int i) const { return i ? slope * slope : start * slope; }
};
struct Curve : Line {
  double bend;
};

}  // namespace model

template <class T>
class Scale {
  T by;

 public:
  T operator()(T x, const T *rest, int n) const {
    for (int i = 0; i < n; ++i) x += by * rest[i] * x;
    return x;
  }
};

double rate = 1.5;
const auto cubed = [](double x) { return rate * x * x * x; };
const model::Line fixed{2.0, 3.0};

double by_volatile(double a, double b) {
  volatile model::Line line{a, b};
  const volatile model::Line other{b, a};
  double x = a * b;
  const double kept = line.kept(x);
  return kept + other.seen(x) * line.slope;
}

double outer(double a) {
  auto inside = [](double x, double y) {
    if (x > y) return x * std::cos(y);
    return y;
  };
  auto seen = [&](double x) { return rate * x * x; };
  return inside(a, 0.5) + seen(a);
}
