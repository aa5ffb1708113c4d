// Shared memory at namespace scope, which functions name without being given it.
namespace held {
__shared__ double values[2][32];
}
__shared__ double total;

__device__ double opposite(int t) { return held::values[0][31 - t] * held::values[1][t]; }

__device__ void leave(int t, double v) {
  held::values[0][t] = v;
  held::values[1][31 - t] = v * v;
}

__global__ void through_functions(const double *x, double *y) {
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  leave(t, x[i]);
  if (t == 5) total = x[i] * x[i];
  __syncthreads();
  y[i] = opposite(t) * total;
  __syncthreads();
  atomicAdd(&held::values[0][t % 4], x[i]);
  __syncthreads();
  y[i] += held::values[0][t % 8];
}
