// Tuples of Thrust in kernels: made, copied, tied, compared by what is in them, and given to functions.
#include <thrust/pair.h>
#include <thrust/extrema.h>
#include <thrust/tuple.h>

typedef thrust::tuple<double, double, int> Kept;

__device__ Kept turned(const Kept &t, double by) {
  return thrust::make_tuple(thrust::get<1>(t) * by, thrust::get<0>(t), thrust::get<2>(t) + 1);
}

__global__ void tuples(const double *x, double *y, double by, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  const double own = x[i];
  const thrust::tuple<float, int> small(2.0f, 3);
  thrust::tuple<double, long> wide(small);
  Kept t(own, own * own, 1), other;
  other = turned(t, by);
  thrust::get<0>(other) *= thrust::get<0>(wide) + thrust::get<1>(wide);
  double a, b;
  int c;
  thrust::tie(a, b, c) = other;
  auto [first, second, third] = turned(other, by);
  b += first * second * third;
  const thrust::pair<double, int> p = thrust::make_pair(a * b, c);
  double larger = 0;
  thrust::tie(larger, c) = p;
  y[i] = larger * c + thrust::max(thrust::get<0>(t), 0.5) * thrust::tuple_size<Kept>::value;
}
