// Device functions: values, pointers to locals, references, global pointers, at depth.
__device__ double square_of(double v) { return v * v; }
__device__ double twice_squared(double v) { return square_of(v) + square_of(v * 0.5); }
__device__ double deep(double v, double w) { return twice_squared(v) * square_of(w) + twice_squared(w); }
__global__ void nested_values(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = deep(x[i], x[(i + 1) % n]) + deep(x[i], 2.0);
}

__device__ void rotate(double *a, double *b, double angle) {
  double t = *a * cos(angle) - *b * sin(angle);
  *b = *a * sin(angle) + *b * cos(angle);
  *a = t;
}
__global__ void pointers_to_locals(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double a = x[i], b = 0.5;
  rotate(&a, &b, x[(i + 2) % n]);
  rotate(&b, &a, 0.3);
  rotate(&a, &b, a * 0.1);
  y[i] = a * b;
}

__device__ void accumulate(double &sum, const double &v) {
  sum += v * v;
  sum *= 1.0 + 0.1 * v;
}
__global__ void by_reference(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = 1.0;
  for (int k = 0; k < 4; ++k) accumulate(s, x[(i + k) % n]);
  accumulate(y[i], s);
  accumulate(s, s * 2.0);
  y[i] += s;
}

__device__ double row_dot(const double *a, const double *b, int m) {
  double s = 0;
  for (int k = 0; k < m; ++k) s += a[k] * b[k];
  return s;
}
__global__ void global_pointers(const double *a, const double *b, double *y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = row_dot(a + i * m, b, m) * row_dot(b, b + 1, m - 1);
}

__global__ void same_callee_local_and_global(const double *a, const double *b, double *y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double local[4] = {a[i], b[i % m], a[i] * b[0], 1.0};
  y[i] = row_dot(local, b, 4) + row_dot(a, local, 4) + row_dot(local, local, 3);
}

__device__ void store_scaled(double *out, int i, double v, double scale) { out[i] = v * scale; }
__device__ void store_twice(double *out, int i, double v) {
  store_scaled(out, i, v, 2.0);
  store_scaled(out, i, out[i] * v, v);
}
__global__ void stores_in_callee(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) store_twice(y, i, x[i]);
}

__device__ double index_inside(const double *in, double val) {
  int index = threadIdx.x + blockIdx.x * blockDim.x;
  return in[index] * val + val * val;
}
__global__ void builtins_in_callee(const double *in, double *out, double val) {
  int index = threadIdx.x + blockIdx.x * blockDim.x;
  out[index] = index_inside(in, val) * index_inside(in, in[index]);
}

__device__ double loop_with_return(const double *x, int n, double limit) {
  double s = 0;
  for (int k = 0; k < n; ++k) {
    s += x[k] * x[k];
    if (s > limit) return s * x[k];
  }
  return s;
}
__global__ void early_return_in_callee(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = loop_with_return(x + i % 7, n / 2, 2.0 + x[i]) * x[i];
}

__device__ double choose(int kind, double a, double b) {
  switch (kind) {
    case 0:
      return a * b;
    case 1:
      a *= a;
    case 2:
      return a + b;
    default:
      break;
  }
  return a - b * b;
}
__global__ void switch_in_callee(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = 0.5;
  for (int k = 0; k < 4; ++k) s = choose((i + k) % 4, s, x[i]);
  y[i] = s;
}

__device__ float mixed_parameters(float a, double b, int k) { return a * b + k * a; }
__global__ void conversions_at_calls(const double *x, const float *w, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = mixed_parameters(x[i], w[i], i % 3) * mixed_parameters(w[i], 2, i % 3 + 0.3 * x[i]);
}

__device__ void two_results(double v, double *value, double *slope) {
  *value = sin(v) * v;
  *slope = *value * cos(v) + v;
}
__global__ void output_parameters(const double *x, double *y, double *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double value, slope;
  two_results(x[i], &value, &slope);
  two_results(value, &y[i], &z[i]);
  y[i] += slope * value;
}

__device__ void fill(double *a, int m, double first) {
  for (int k = 0; k < m; ++k) {
    a[k] = first;
    first = first * 0.7 + 0.1 * k;
  }
}
__device__ double reduce(const double *a, int m) {
  const double *end = a + m;
  double s = 1.0;
  while (a != end) s = s * 0.9 + *a++ * s;
  return s;
}
__global__ void local_array_to_callees(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double a[6];
  fill(a, 6, x[i]);
  double s = reduce(a, 6);
  fill(a + 2, 3, s * x[i]);
  y[i] = reduce(a, 5) * s;
}

__device__ unsigned hash(unsigned v) {
  v ^= v >> 16;
  v *= 0x7feb352dU;
  v ^= v >> 15;
  v *= 0x846ca68bU;
  return v ^ (v >> 16);
}
__global__ void hashed_gather(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = x[i];
  unsigned state = hash(i + 1);
  for (int k = 0; k < 5; ++k) {
    state = hash(state + k);
    s = s * 0.5 + x[state % (unsigned)n] * ((state >> 8) / 16777216.0);
  }
  y[i] = s * s;
}

namespace shapes {
__device__ inline double area(double r) { return 3.0 * r * r; }
template <typename T> __device__ T blend(T a, T b, T w) { return a * w + b * (T(1) - w); }
}  // namespace shapes
__global__ void namespaces_and_templates(const double *x, const float *w, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = shapes::blend(shapes::area(x[i]), x[i], 0.25) + shapes::blend(w[i], 2.0f, w[i]);
}

template <typename T, int K> __global__ void template_kernel(const T *x, T *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  T s = x[i];
#pragma unroll
  for (int k = 0; k < K; ++k) s = s * x[(i + k) % n] + T(0.5);
  y[i] = s;
}

__device__ double unused_result(double *a, double v) {
  *a += v * v;
  return *a * 2.0;
}
__global__ void discarded_result(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double a = x[i];
  unused_result(&a, x[(i + 1) % n]);
  double b = unused_result(&a, a);
  b += a;
  y[i] = a * b;
}

__device__ void maybe(double *p, double v) {
  if (p) *p = v * v;
}
__global__ void null_pointer(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double t = x[i];
  maybe(i % 2 ? &t : nullptr, x[i] * 2.0);
  y[i] = t * x[i];
}

__global__ void spelled_by_the_compiler(const double *x, const float *w, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || __builtin_isinf(x[i])) return;
  if (x[i] < w[i]) y[i] += __builtin_pow(x[i], 1.5) * __builtin_sqrt(w[i]);
  else y[i] *= __builtin_isnan(w[i]) ? 0 : __builtin_sinf(w[i]) * __builtin_fmax(x[i], 0.5);
}
