// run(x)
// CP0224
#include <thrust/device_vector.h>
#include <thrust/unique.h>
double run(const double *x, int n) {
  thrust::device_vector<double> v(x, x + n);
  thrust::unique(v.begin(), v.end());
  return v[0];
}
