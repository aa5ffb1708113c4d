// Halves of a warp that go on by themselves, with tests that load, loop and talk, and waiting that orders nothing.

__device__ double power(double v, int n) { return n > 0 ? v * power(v, n - 1) : 1.0; }

__device__ double sum_of_half(unsigned mask, double v) {
  for (int d = 8; d > 0; d /= 2) v += __shfl_xor_sync(mask, v, d);
  return v;
}

__global__ void loops_in_tests(const double *x, const int *trips, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, half = threadIdx.x % 32 / 16, c = 0;
  unsigned mask = half ? 0xffff0000u : 0xffffu;
  double v = x[i];
  while (c < trips[half] && power(0.9 + x[half], c) < 2.5) {
    v = sin(v) * x[i] + 0.5 * __shfl_xor_sync(mask, v, 1) * v;
    ++c;
  }
  while (c > 0 && sum_of_half(mask, v) < 30) {
    v = v * 1.1 + 0.3 * __shfl_xor_sync(mask, v, 2) * v;
    --c;
  }
  y[i] = v;
}

__global__ void waits_for_nothing(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0;
  for (int k = 0; k < n; ++k) {
    s += sin(s) * x[i] + k;
    __syncwarp();
  }
  if (n > 2) __syncwarp();
  if (n > 3) {
    s *= x[i] * s;
    __syncwarp();
  }
  y[i] = s * x[i];
}

// Pairs of lanes go on as often as they like, which the second half of the test is asked by those only that pass the first.
__global__ void pairs_that_ask(const double *x, const int *trips, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, c = 0;
  double v = x[i];
  y[i] = v * v;
  while (c < trips[i / 2] && v + __shfl_xor_sync(0xffffffffu, v, 1) < 3) {
    v = v * 1.2 + 0.3 * sin(x[i] * v);
    ++c;
    y[i] = v * v;
  }
}

// What lanes add up is read by all of them, so that all adjoints are there before one is given to what was added.
__global__ void read_after_adding(const double *x, double *sums, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&sums[i / 32], x[i] * x[i]);
  __syncwarp();
  y[i] = 2 * sums[i / 32] * (i + 1);
}
