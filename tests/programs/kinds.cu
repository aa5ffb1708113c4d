// Kernels of every kind that is launched: templates, objects with pointers by value, variables at namespace scope.
#include <cuda_runtime.h>

template <class T> __global__ void scaled(T *out, const T *in, T factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = factor * in[i] * in[i];
}
template <class T, int width> __global__ void smoothed(T *out, const T *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  T sum = 0;
  for (int k = -width; k <= width; ++k) {
    int j = i + k < 0 ? 0 : i + k >= n ? n - 1 : i + k;
    sum += in[j];
  }
  out[i] = sum / (2 * width + 1);
}
template <class T> void run_template(T *out, const T *in, T factor, int n) {
  T *a, *b;
  cudaMalloc(&a, n * sizeof(T));
  cudaMalloc(&b, n * sizeof(T));
  cudaMemcpy(a, in, n * sizeof(T), cudaMemcpyHostToDevice);
  scaled<<<(n + 15) / 16, 16>>>(b, a, factor, n);
  smoothed<T, 2><<<(n + 15) / 16, 16>>>(a, b, n);
  cudaMemcpy(out, a, n * sizeof(T), cudaMemcpyDeviceToHost);
  cudaFree(a);
  cudaFree(b);
}
void of_doubles(double *out, const double *in, double factor, int n) { run_template(out, in, factor, n); }
void of_floats(float *out, const float *in, float factor, int n) { run_template<float>(out, in, factor, n); }

// Objects by value, with pointers and numbers in them.
struct Field {
  double *values;
  int n;
  double spacing;
};
__global__ void gradient_of(Field out, Field in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= in.n) return;
  int left = i > 0 ? i - 1 : i, right = i < in.n - 1 ? i + 1 : i;
  out.values[i] = (in.values[right] - in.values[left]) / (in.spacing * (right - left));
}
double roughness(const double *in, double spacing, int n) {
  Field f, g;
  f.n = g.n = n;
  f.spacing = g.spacing = spacing;
  cudaMalloc(&f.values, n * sizeof(double));
  cudaMalloc(&g.values, n * sizeof(double));
  cudaMemcpy(f.values, in, n * sizeof(double), cudaMemcpyHostToDevice);
  gradient_of<<<(n + 15) / 16, 16>>>(g, f);
  gradient_of<<<(n + 15) / 16, 16>>>(f, g);
  double host[64], sum = 0;
  cudaMemcpy(host, f.values, n * sizeof(double), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) sum += host[i] * host[i] * spacing;
  cudaFree(f.values);
  cudaFree(g.values);
  return sum;
}

// Parameters in constant memory, a sum in a variable of the device.
__constant__ double coefficients[4];
__device__ double total;
__device__ double history[8];

__global__ void polynomial(double *out, const double *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double y = 0;
  for (int k = 3; k >= 0; --k) y = y * x[i] + coefficients[k];
  out[i] = y;
  atomicAdd(&total, y * y);
}
double by_symbols(double *out, const double *in, const double *c, int n) {
  double *x, *y, sum = 0;
  cudaMalloc(&x, n * sizeof(double));
  cudaMalloc(&y, n * sizeof(double));
  cudaMemcpy(x, in, n * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(coefficients, c, 4 * sizeof(double));
  cudaMemcpyToSymbol(total, &sum, sizeof sum);
  polynomial<<<(n + 15) / 16, 16>>>(y, x, n);
  cudaMemcpyFromSymbol(&sum, total, sizeof sum);
  cudaMemcpy(out, y, n * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(x);
  cudaFree(y);
  return sum;
}

// Part of a symbol, at an offset; set anew in every step.
__global__ void remember(const double *x, int at) { history[at] = x[0] * history[(at + 7) % 8]; }
double parts_of_symbols(const double *in, int steps) {
  double *x, one = 1, host[8] = {}, sum = 0;
  cudaMalloc(&x, sizeof(double));
  cudaMemcpyToSymbol(history, host, sizeof host);
  cudaMemcpyToSymbol(history, &one, sizeof one, 7 * sizeof(double), cudaMemcpyHostToDevice);
  for (int t = 0; t < steps; ++t) {
    cudaMemcpy(x, in + t, sizeof(double), cudaMemcpyHostToDevice);
    remember<<<1, 1>>>(x, t % 8);
  }
  cudaMemcpyFromSymbol(host, history, 4 * sizeof(double), 2 * sizeof(double), cudaMemcpyDeviceToHost);
  for (int k = 0; k < 4; ++k) sum += host[k];
  cudaFree(x);
  return sum;
}

// Several dimensions, and a block whose size is an argument.
__global__ void outer(double *out, const double *a, const double *b, int n, int m) {
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && j < m) out[i * m + j] += a[i] * b[j] * (1 + blockIdx.z);
}
void outer_product(double *out, const double *a, const double *b, int n, int m, int size) {
  dim3 block(size, size), grid;
  grid.x = (m + block.x - 1) / block.x;
  grid.y = (n + block.y - 1) / block.y;
  double *d_out, *d_a, *d_b;
  cudaMalloc(&d_out, n * m * sizeof(double));
  cudaMalloc(&d_a, n * sizeof(double));
  cudaMalloc(&d_b, m * sizeof(double));
  cudaMemcpy(d_out, out, n * m * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemcpy(d_a, a, n * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, b, m * sizeof(double), cudaMemcpyHostToDevice);
  outer<<<grid, block>>>(d_out, d_a, d_b, n, m);
  cudaMemcpy(out, d_out, n * m * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(d_out);
  cudaFree(d_a);
  cudaFree(d_b);
}

// A kernel that is named as a parameter of a template.
template <class T> struct Softened {
  T beta;
  __host__ __device__ T operator()(T x) const { return log(1 + exp(beta * x)) / beta; }
};
template <class F> __global__ void mapped(double *x, int n, F f) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] = f(x[i]);
}
void functors(double *x, double beta, int n) {
  double *d;
  cudaMalloc(&d, n * sizeof(double));
  cudaMemcpy(d, x, n * sizeof(double), cudaMemcpyHostToDevice);
  mapped<<<2, 8>>>(d, n, Softened<double>{beta});
  mapped<<<2, 8>>>(d, n, Softened<double>{beta * beta});
  cudaMemcpy(x, d, n * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(d);
}
