// Lambdas that algorithms are given, whose kernels' arguments have no names then.
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>

double algorithms(const double *x, double a, int n) {
  thrust::device_vector<double> v(x, x + n), w(n);
  thrust::transform(v.begin(), v.end(), w.begin(), [=] __host__ __device__(double t) { return t * t * a; });
  thrust::transform(v.begin(), v.end(), w.begin(), v.begin(), [=] __device__(double s, double t) { return s * t; });
  double *p = thrust::raw_pointer_cast(w.data());
  const double *q = thrust::raw_pointer_cast(v.data());
  thrust::for_each(thrust::device, thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(n),
                   [=] __device__(int i) { p[i] += a * q[i]; });
  return thrust::transform_reduce(
      w.begin(), w.end(), [=] __host__ __device__(double t) { return t * t * a; }, 0.0, thrust::plus<double>());
}
