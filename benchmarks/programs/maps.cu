// One element for each thread: plain functions of a number, a factor and two parameters that all threads share, and
// option prices.
__device__ __forceinline__ int own_element() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }

__global__ void square(const double *x, double *y, int n) {
  const int i = own_element();
  if (i < n) y[i] = x[i] * x[i];
}

__global__ void mathy(const double *x, double *y, int n) {
  const int i = own_element();
  if (i >= n) return;
  const double v = x[i];
  y[i] = exp(v * sin(v)) + tanh(v) * log(v + 2.0);
}

__global__ void elem(double *out, const double *x, int n) {
  const int i = own_element();
  if (i >= n) return;
  const double a = x[i];
  out[i] = exp(-a * a) * sin(a) + a * a * a;
}

__global__ void bcast(const double *x, double *y, int n) {
  const int i = own_element();
  if (i < n) y[i] = x[0] * x[i];
}

__global__ void scal(double *out, const double *x, const double *p, int n) {
  const int i = own_element();
  if (i >= n) return;
  const double t = p[0] * x[i] + p[1];
  out[i] = t * t;
}

// European calls by Black and Scholes.
__global__ void bs(float *out, const float *S, const float *X, const float *T, float R, float Vol, int n) {
  const int i = own_element();
  if (i >= n) return;
  const float root = sqrtf(T[i]);
  const float d1 = (logf(S[i] / X[i]) + (R + 0.5f * Vol * Vol) * T[i]) / (Vol * root);
  const float d2 = d1 - Vol * root;
  const float n1 = 0.5f * (1.0f + erff(d1 * 0.70710678f));
  const float n2 = 0.5f * (1.0f + erff(d2 * 0.70710678f));
  out[i] = S[i] * n1 - X[i] * expf(-R * T[i]) * n2;
}
