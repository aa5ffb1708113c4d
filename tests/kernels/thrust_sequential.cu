// Algorithms of Thrust that a thread runs by itself, by the policy seq.
#include <thrust/copy.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/inner_product.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>

struct Squared {
  __host__ __device__ double operator()(double v) const { return v * v; }
};
struct Scaled {
  double by;
  __host__ __device__ void operator()(double &v) const { v *= by; }
};

__global__ void sequential(const double *x, double *y, double *z, int n) {
  const int i = threadIdx.x;
  const double *a = x + i * n;
  double *b = y + i * n, *c = z + i * n;
  thrust::transform(thrust::seq, a, a + n, b, Squared());
  thrust::transform(thrust::seq, a, a + n, b, c, thrust::multiplies<double>());
  thrust::for_each(thrust::seq, c, c + n, Scaled{a[0]});
  thrust::inclusive_scan(thrust::seq, c, c + n, c);
  thrust::exclusive_scan(thrust::seq, b, b + n, b, 0.5);
  double sums = thrust::reduce(thrust::seq, a, a + n) + thrust::reduce(thrust::seq, b, b + n, 1.0);
  sums *= thrust::transform_reduce(thrust::seq, a, a + n, Squared(), 1.0, thrust::plus<double>());
  c[0] *= *thrust::max_element(thrust::seq, b, b + n) + sums;
  c[1] += thrust::inner_product(thrust::seq, a, a + n, b, 0.0) * *thrust::min_element(thrust::seq, a, a + n);
  thrust::exclusive_scan(thrust::seq, c, c + n, b);
  thrust::fill(thrust::seq, b, b + 1, a[0] * a[1]);
  thrust::copy(thrust::seq, a, a + 1, b + 1);
}
