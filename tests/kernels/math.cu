// The math library inside kernels: the common functions, in double and in float, and their fast forms.
__global__ void trigonometric(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double t = x[i] * 0.7;
  y[i] = sin(t) * cos(t) + tan(t) + asin(t) * acos(t) + atan(t) * atan2(t, x[i] + 1.0);
  y[i] += sinh(t) * cosh(t) - tanh(t) + asinh(t) + acosh(t + 2.0) + atanh(t * 0.9);
  y[i] *= sinpi(t) + cospi(t);
}

__global__ void exponential(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double t = x[i];
  y[i] = exp(t) + exp2(t) * exp10(t * 0.1) + expm1(t) + log(t) * log2(t) + log10(t) + log1p(t);
  y[i] += pow(t, 2.5) + pow(1.5, t) + pow(t, 3) + sqrt(t) * cbrt(t) + rsqrt(t) + hypot(t, 2.0 * t) + ldexp(t, 3);
}

__global__ void rounding(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double t = x[i] * 3.0;
  y[i] = fabs(t - 1.71) * fmin(t, 1.33) + fmax(t, 2.11) * fmod(t, 0.77) + copysign(t, -1.0);
  y[i] += (t - floor(t)) * ceil(t) + trunc(t) * t + round(t) * t + fma(t, t, x[i]) + fdim(t, 1.07);
  y[i] *= min(t, 2.51) + max(t, 1.93);
}

__global__ void special(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double t = x[i] + 0.5;
  y[i] = erf(t) + erfc(t) * tgamma(t) + lgamma(t) + normcdf(t) + erfinv(t * 0.5) + norm3d(t, 1.0, t * t);
}

__global__ void single_precision(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float t = x[i];
  y[i] = sinf(t) + cosf(t) * expf(t) + logf(t) + sqrtf(t) * powf(t, 1.5f) + fabsf(t - 3.0f) + tanhf(t);
  y[i] += sin(t) * exp(t) + fmaxf(t, 0.1f) * fminf(t, 2.0f) + rsqrtf(t) + fmaf(t, t, t) + erff(t) + atan2f(t, 2.0f);
}

__global__ void fast_forms(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float t = x[i];
  y[i] = __sinf(t) * __cosf(t) + __expf(t) + __logf(t) + __powf(t, 1.7f) + __fdividef(t, t + 1.0f) + __saturatef(t * 0.5f);
}

__global__ void sine_and_cosine(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s, c;
  sincos(x[i], &s, &c);
  y[i] = s * c;
  sincos(y[i] * 2.0, &y[i], &c);
  y[i] += c * s;
}

__global__ void at_kinks(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double zero = x[i] - x[i];
  double r = 0.0;
  y[i] = fabs(zero) * x[i] + sqrt(r) * x[i] + (x[i] > 0.0 ? x[i] : sqrt(-x[i])) + fmax(x[i], x[i]);
}

// Written through the parameters of a function, by one of the library.
__device__ void both(double x, double *s, double *c) { sincos(x, s, c); }

__device__ double half_angle(double x, double *s, double *c) {
  both(0.5 * x, s, c);
  return 2.0 * *s * *c;
}

__global__ void written_by_library(const double *x, double *s, double *c, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  both(x[i], &s[i], &c[i]);
  y[i] = s[i] * c[i] + s[i];
  double half = half_angle(y[i], &s[i], &c[i]);
  y[i] += half * s[i];
}

// Lengths of vectors in memory, of as many numbers as are found at run time.
__global__ void norms(const double *x, const float *f, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double own[3] = {x[i], 2 * x[i], 1};
  int k = i % 3 + 1;
  y[i] = norm(k, x + i) * rnorm(3, own) + normf(4, f + i) + rnormf(k + 1, f + i) * norm(0, x) + norm(2, own + 1);
}
