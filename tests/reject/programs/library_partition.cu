// run(x)
// CP0224
#include <thrust/device_vector.h>
#include <thrust/partition.h>
struct Positive {
  __host__ __device__ bool operator()(double x) const { return x > 0.0; }
};
double run(const double *x, int n) {
  thrust::device_vector<double> v(x, x + n);
  thrust::partition(v.begin(), v.end(), Positive());
  return v[0];
}
