// Log-sum-exps whose maximum is found by the algorithms of libraries.
#include <cub/cub.cuh>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/transform_reduce.h>

#include <cmath>

__global__ void sum_exp(const double *x, const double *m, double *s, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(s, exp(x[i] - m[0]));
}

double by_cub(const double *x, int n) {
  double *found, total[2];
  cudaMalloc(&found, 2 * sizeof(double));
  cudaMemset(found, 0, 2 * sizeof(double));
  size_t bytes = 0;
  void *memory = nullptr;
  cub::DeviceReduce::Max(memory, bytes, x, found, n);
  cudaMalloc(&memory, bytes);
  cub::DeviceReduce::Max(memory, bytes, x, found, n);
  sum_exp<<<(n + 63) / 64, 64>>>(x, found, found + 1, n);
  cudaMemcpy(total, found, 2 * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(memory);
  cudaFree(found);
  return total[0] + log(total[1]);
}

struct Shifted {
  double by;
  __host__ __device__ double operator()(double v) const { return exp(v - by); }
};

template <bool Scans> double by_thrust(const double *x, int n) {
  thrust::device_vector<double> v(x, x + n), upto(n);
  double m;
  if constexpr (Scans) {
    thrust::inclusive_scan(v.begin(), v.end(), upto.begin(), thrust::maximum<double>());
    m = upto[n - 1];
  } else {
    m = thrust::reduce(v.begin(), v.end(), -INFINITY, thrust::maximum<double>());
  }
  return m + log(thrust::transform_reduce(v.begin(), v.end(), Shifted{m}, 0.0, thrust::plus<double>()));
}
