// CUB in a kernel, in a file that includes Thrust and CUDA's C++ library for its host code.
#include <cub/cub.cuh>
#include <cuda/std/functional>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>

__global__ void norms(const double *x, double *out, int n) {
  using Reduce = cub::BlockReduce<double, 64>;
  __shared__ typename Reduce::TempStorage storage;
  double sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += x[blockIdx.x * n + i] * x[blockIdx.x * n + i];
  const double total = Reduce(storage).Reduce(sum, cuda::std::plus<>());
  if (threadIdx.x == 0) out[blockIdx.x] = sqrt(total);
}

double total(thrust::device_vector<double> &x, int rows, int n) {
  thrust::device_vector<double> out(rows);
  norms<<<rows, 64>>>(thrust::raw_pointer_cast(x.data()), thrust::raw_pointer_cast(out.data()), n);
  return thrust::reduce(out.begin(), out.end());
}
