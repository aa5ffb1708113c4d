// Threads that leave before barriers, one by one or the whole block at once, and barriers that decide.

// Barriers in conditions and in expressions, after some threads have returned.
__global__ void answers(const double *x, double *y, double limit, int n) {
  __shared__ double s[32];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = 0.5;
  __syncthreads();
  if (i >= n) return;
  if (__syncthreads_and(x[i] > 0.1)) {
    s[t] = x[i];
    __syncthreads();
  }
  int c = 0;
  while (c < 5 && !__syncthreads_or(s[t] > 1.15)) {
    s[t] *= 1.1;
    ++c;
    if (t == 5 && c == 2) return;
    __syncthreads();
  }
  int above = 3 * __syncthreads_count(s[t] > 0.9) + 1;
  do {
    double v = s[(t + 1) % 32];
    __syncthreads();
    s[t] = 0.9 * v * v + 0.1 * above;
    if ((__syncthreads_count(s[t] > limit) > 12 && limit < 0.9) || above > 40) break;
    if (t == 7) return;
  } while (__syncthreads_or(s[t] < 0.5) && c++ < 9);
  y[i] = s[(t + 1) % 32] * s[t];
}

__global__ void leaves_in_do(const double *x, double *y, int n) {
  __shared__ double s[32];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, c = 0;
  s[t] = i < n ? x[i] : 0.4;
  __syncthreads();
  do {
    double v = s[(t + 1) % 32];
    __syncthreads();
    s[t] = 0.9 * v * v + 0.1;
    if (i >= n || (t == 3 && c == 1)) return;
    __syncthreads();
  } while (++c < 4);
  y[i] = s[(t + 1) % 32] * s[t];
}

__device__ double total(double v, double *s) {
  s[threadIdx.x] = v;
  __syncthreads();
  double sum = 0.0;
  for (int k = 0; k < blockDim.x; ++k) sum += s[k];
  __syncthreads();
  return sum;
}

// Blocks for which there is no row leave as a whole, others skip rows: the functions that they call have barriers.
__global__ void rows(const double *x, const int *used, double *y, int count, int width) {
  __shared__ double s[64];
  if (blockIdx.x >= count) return;
  for (int row = blockIdx.x; row < count; row += gridDim.x) {
    if (used[row] % 3 == 0) continue;
    double v = threadIdx.x < width ? x[row * width + threadIdx.x] : 0.0;
    double mean = total(v, s) / width;
    if (mean > 0.9) break;
    double d = threadIdx.x < width ? v - mean : 0.0;
    double scale = rsqrt(total(d * d, s) / width + 1e-3);
    if (threadIdx.x < width) y[row * width + threadIdx.x] = d * scale;
  }
}

// A loop that never runs, whose numbers would have to be kept.
__global__ void never(const double *x, double *y) {
  __shared__ double s[32];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  double v = x[t];
  for (int k = 0; k > 0; --k) {
    v = sin(v) * s[(t + k) % 32];
    __syncthreads();
    s[t] = v * v;
    __syncthreads();
  }
  y[t] = v * s[31 - t];
}

// Variables of all kinds that are declared between barriers, where threads have left.
struct Both {
  double a, b;
};
struct Three {
  double v[2], s;
};
__global__ void declared_between(const double *x, double *y, int n) {
  __shared__ double s[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = 0;
  if (i >= n) return;
  Both v = {x[i], 2 * x[i]};
  Three w = {{x[i], 1}, x[i] * x[i]};
  double c[2] = {x[i], 5};
  const double *p = x + i;
  double &r = c[1];
  s[threadIdx.x] = v.a * r;
  __syncthreads();
  int all = __syncthreads_count(v.a > 0);
  all = all > 0 ? 1 : 2;
  v.b *= *p;
  r *= w.s;
  const int positive = __syncthreads_and(v.b > 0) + 1;
  double unset;
  unset = s[(threadIdx.x + 1) % 32] * all;
  int rounds = 0;
  while (rounds < 2) {
    if (rounds == 1 && v.b > 1.5) {
      ++rounds;
      continue;
    }
    __syncthreads();
    s[threadIdx.x] += v.b * rounds;
    __syncthreads();
    unset += s[(threadIdx.x + 1) % 32] * positive;
    ++rounds;
  }
  y[i] = unset * v.b + c[1] + w.v[0];
}

// Of two places to leave at, only the second is one where threads do.
template <int Most>
__global__ void at_the_second(const double *x, double *y, int n) {
  __shared__ double s[64];
  int t = threadIdx.x;
  if (Most < 32 && t > Most) return;
  s[t] = x[t];
  __syncthreads();
  double v = s[t] * s[n - 1 - t];
  if (t >= n / 2) return;
  __syncthreads();
  s[t] = v;
  __syncthreads();
  y[t] = s[t] * s[n / 2 - 1 - t];
}
template __global__ void at_the_second<40>(const double *, double *, int);
