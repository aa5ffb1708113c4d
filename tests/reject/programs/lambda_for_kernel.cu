// run(x, y)
// CP0244
#include <thrust/device_vector.h>
#include <thrust/transform.h>
double run(const double *x, double y, int n) {
  thrust::device_vector<double> v(x, x + n);
  thrust::transform(v.begin(), v.end(), v.begin(), [=] __host__ __device__(double x) { return x * y; });
  return v[0];
}
