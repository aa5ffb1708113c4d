// f(x, y)
// CP0016
#include <thrust/device_ptr.h>
#include <thrust/transform.h>
struct Square {
  double operator()(double x) const { return x * x; }
};
void f(double *x, double *y, int n) {
  thrust::device_ptr<double> from(x), to(y);
  thrust::transform(from, from + n, to, Square());
}
