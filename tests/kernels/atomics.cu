// Atomics: counters and histograms beside what is differentiated, additions made of compare-and-swap, by block and system.

__global__ void counted(const double *x, double *y, int *count, unsigned *masks, int *order, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = x[i] * x[i];
  atomicAdd(count, 1);
  atomicMax(count + 1, i);
  atomicMin(&count[2], -i);
  atomicOr(&masks[i % 4], 1u << (i % 32));
  atomicInc(&masks[4], 7u);
  if (x[i] > 0.0) order[i] = atomicAdd(&count[3], 1);
  atomicExch(&count[4], i);
  atomicCAS(&count[5], i, i + 1);
}

__device__ double add_by_swap(double *address, double value) {
  unsigned long long *bits = (unsigned long long *)address;
  unsigned long long old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}

__global__ void swapped_sum(const double *x, double *bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) add_by_swap(&bins[i % 5], sin(x[i]) * x[i]);
}

__device__ void subtract_by_swap(float *address, float value) {
  int *bits = reinterpret_cast<int *>(address);
  int old = *bits;
  while (true) {
    int expected = old;
    old = atomicCAS(bits, expected, __float_as_int(__int_as_float(expected) - value));
    if (old == expected) break;
  }
}

__global__ void swapped_difference(const float *x, const float *w, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < 3; ++k) subtract_by_swap(y + (i + k) % 4, w[k] * x[i]);
}

__device__ void add_until_swapped(float *address, float value) {
  float old, sum;
  do {
    old = *address;
    sum = old + value;
  } while (atomicCAS((unsigned *)address, __float_as_uint(old), __float_as_uint(sum)) != __float_as_uint(old));
}

__global__ void swapped_float(const float *x, float *total, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) add_until_swapped(total, x[i] * x[i]);
}

__global__ void scopes(const double *x, const float *v, double *y, float *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicAdd_block(&y[blockIdx.x], x[i] * x[i]);
  atomicAdd_system(&y[3], sin(x[i]));
  atomicAdd_system(z, v[i] * v[i]);
}

// The largest number is looked for beside, by a loop that swaps, and has no adjoint.
__device__ void maximum_by_swap(float *address, float value) {
  int *bits = (int *)address;
  int old = *bits, expected;
  while (value > __int_as_float(old)) {
    expected = old;
    old = atomicCAS(bits, expected, __float_as_int(value));
    if (old == expected) break;
  }
}

__global__ void beside_a_maximum(const float *x, float *y, float *largest, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = x[i] * x[i];
  maximum_by_swap(largest, y[i]);
}

// What a block counts together decides about its threads, and is a factor: the gradient counts again.
__global__ void counted_by_blocks(const double *x, double *y, int n) {
  __shared__ int any, most;
  __shared__ unsigned int bits;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0;
  for (int k = 0; k < 3; ++k) {
    if (threadIdx.x == 0) {
      any = 0;
      most = -100;
      bits = 0u;
    }
    __syncthreads();
    atomicOr(&any, i < n && x[i] > 0.4 * k);
    atomicMax(&most, i < n ? (int)(10 * x[i]) : -100);
    atomicXor(&bits, 1u << (threadIdx.x % 5));
    __syncthreads();
    if (any != 0 && i < n) s += x[i] * x[i] * most + x[i] * bits;
    __syncthreads();
  }
  if (i < n) y[i] = s;
}

// A flag that one thread sets and any of the others takes back: they all put the same number there.
__global__ void until_all_are_small(const double *x, double *y, int n) {
  __shared__ int small;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double v = i < n ? x[i] : 0, turns = 0;
  for (int k = 0; k < 6; ++k) {
    if (threadIdx.x == 0) small = 1;
    __syncthreads();
    if (v * v > 0.05) atomicExch(&small, 0);
    __syncthreads();
    if (small) break;
    v *= 0.8 - 0.1 * v;
    turns += v * (2 - small);
    __syncthreads();
  }
  if (i < n) y[i] = v * turns;
}
