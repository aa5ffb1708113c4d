// Where adjoints that are infinite or no numbers come from: each way has the mark of its line.
#include <cuda_fp16.h>

__device__ double scaled(double v) {
  double root = sqrt(v);  // inlined
  return 2 * root;
}

// Kept, since it is recursive: its gradient is a pullback.
__device__ double product(const double *x, int n) {
  if (n < 1) return 1;
  return log(x[n]) * product(x, n - 1) / x[n];  // pullback
}

__global__ void ways(double *y, const double *x, const float *f, int way, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double v = x[i];
  if (way == 0) y[i] = sqrt(v);  // root
  if (way == 1) y[i] = v * log(v);  // logarithm
  if (way == 2) y[i] = 3 / v;  // division
  if (way == 3) {
    double e = exp(v);  // zero_times_infinity
    y[i] = e * (way - 3);
  }
  if (way == 4) {
    __half h = __float2half(f[i]), square = __hmul(h, h);
    y[i] = __half2float(square) * v;  // half
  }
  if (way == 5) {
    double s = 1;
    for (int j = 0; j < 3; ++j)
      s = s * sqrt(v - j);  // loop
    y[i] = s;
  }
  if (way == 6) y[i] = scaled(v);
  if (way == 7) y[i] = product(x, 2);
  if (way == 8) y[i] = f[0] * v;  // sum
  if (way == 9) {
    double m = v;
    if (v < 0) m = 0;
    y[i] = sqrt(m);  // waited
  }
  if (way == 10) {
    double r = sqrt(v);  // no_adjoint
    y[i] = r * r;
  }
  if (way == 11) y[i] = sqrt(fmax(v, 0.)) + (v > 0 ? log(v) : 0.);  // choices
  if (way == 12) {
    double m = fmax(v, 0.);
    y[i] = 0;
    for (int j = 0; j < 2; ++j) y[i] += sqrt(m) * (j + v);  // chosen_before
  }
  if (way == 13) {
    double m = -fmax(-v, 0.), pair[2] = {0, fmax(-f[
        i], 0.f)};
    y[i] = sqrt(-m) + sqrt(pair[way % 2]) + sqrt(pair[way - 13]);
  }
  if (way == 14) {
    double kept[2] = {v, 1};
    y[i] = kept[1] * sqrt(kept[way - 14]);  // local
  }
}

__global__ void first(double *t, const double *x) { t[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]; }
__global__ void second(double *y, const double *t, double by) {
  y[threadIdx.x] = by * pow(t[threadIdx.x], 0.5);  // second
}

void steps(double *y, const double *x, double *t, double a) {
  first<<<1, 4>>>(t, x);
  double by = sqrt(a);  // by_host
  second<<<1, 4>>>(y, t, by);
}
