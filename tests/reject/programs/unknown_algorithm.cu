// f(x, y)
// CP0001
#include <thrust/device_ptr.h>
#include <thrust/merge.h>
void f(double *x, double *y, int n) {
  thrust::device_ptr<double> from(x), to(y);
  thrust::merge(from, from + n, from, from + n, to);
}
