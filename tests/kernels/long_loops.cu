// Loops of many steps that need their state in each: some states are kept, the loop runs again between them.
#define ID (blockIdx.x * blockDim.x + threadIdx.x)

__global__ void horner(const double *c, const double *x, double *out, int degree, int n) {
  int i = ID;
  if (i >= n) return;
  double r = 0.0;
  for (int k = 0; k < degree; k++) r = r * x[i] + c[k];
  out[i] = r;
}

// A known number of steps, more than are kept one by one.
__global__ void filter(const float *in, const float *g, float *out, int n) {
  int i = ID;
  if (i >= n) return;
  float a = 0.1f, b = 0.2f;
  for (int k = 0; k < 200; k++) {
    float t = in[(i + k) % n] * a;
    a = 0.9f * a + 0.1f * b * g[k % 5];
    b = 0.8f * b + 0.2f * t;
  }
  out[i] = a * b;
}

// It ends on its data; an integer and a flag are part of the state.
__global__ void until(const double *x, const double *w, double *out, int n) {
  int i = ID;
  if (i >= n) return;
  double a = x[i] + 0.5, b = 0.5, c = 0.0;
  int k = 0;
  bool odd = false;
  while (a > 0.05 && k < 900) {
    double t = a;
    a = 0.98 * a * (1.0 - 0.01 * b);
    b = b + 0.1 * t * w[k % 3];
    if (odd) c = c + b * a;
    odd = (k % 5) < 2;
    k += 1 + k % 2;
  }
  out[i] = a + b + c;
}

// Five numbers, and a loop and a small array in every step.
__global__ void mixing(const double *x, const double *w, double *out, int m, int n) {
  int i = ID;
  if (i >= n) return;
  double s0 = x[i], s1 = 0.1, s2 = 0.2, s3 = 0.3, s4 = 0.4;
  for (int k = 0; k < m; k++) {
    double t[3];
    for (int j = 0; j < 3; j++) t[j] = s0 * w[(k + j) % 4] + 0.1 * s1;
    double u = t[0] * t[1] + t[2];
    s0 = 0.9 * s0 + 0.05 * s4;
    s1 = 0.9 * s1 + 0.05 * u;
    s2 = 0.9 * s2 + 0.05 * s1 * s3;
    s3 = 0.9 * s3 + 0.02 * sin(s2);
    s4 = 0.9 * s4 + 0.05 * s0 * s2;
  }
  out[i] = s0 * s1 + s2 * s3 + s4;
}

// In the steps of another loop: each of these reverses its own.
__global__ void layers(const double *c, const double *x, double *out, int outer, int inner, int n) {
  int i = ID;
  if (i >= n) return;
  double y = x[i];
  for (int l = 0; l < outer; l++) {
    double r = 0.0;
    for (int k = 0; k < inner; k++) r = r * 0.7 * y + c[k];
    y = 0.5 * y + 0.1 * r;
  }
  out[i] = y;
}

// What is read here is overwritten later: that is no state that could be had again.
__global__ void overwritten(double *a, const double *c, double *out, int m, int n) {
  int i = ID;
  if (i >= n) return;
  double r = 0.3;
  for (int k = 0; k < m; k++) r = r * a[i] * 0.9 + c[k];
  out[i] = r * a[i];
  a[i] = r;
}

// A function of its own, whose loop has no bound.
__device__ double tail(const double *c, double x, int m) {
  double r = 1.0;
  for (int k = 0; k < m; k++) r = r * x + c[k] * r * r * 0.01;
  return r;
}

__global__ void tails(const double *c, const double *x, double *out, int m, int n) {
  int i = ID;
  if (i >= n) return;
  double sum = 0.0;
  for (int j = 0; j < 3; j++) sum += tail(c + j, x[i] * (0.3 + 0.1 * j), m);
  out[i] = sum * tail(c, 0.97, m);
}

// How many steps there are is the same for all threads, or as many as the thread's number leaves, or as there is a buffer.
__global__ void so_many(const double *x, const int *there, double *t, double *out, int m, int n) {
  int i = ID;
  if (i >= n) return;
  double s = x[i];
  t += 8 * i;
#define STEP(k) { const double a = t[k]; s = sin(s * a) + a; t[k] = s * 0.5; }
  if (s > 0.5) {
    for (int k = 0; k < m; k++) STEP(k % 8)
  } else {
    for (int k = 0; k < n / 4; k++) STEP(k % 7)
  }
  const int end = there ? m : 3;
  if (s > 0.2) {
    for (int k = m / 2 - (int)threadIdx.x; k < m; k++) STEP(k & 3)
  } else {
    for (int k = 0; k < end; k++) STEP(k % 8)
  }
  out[i] = s;
}

// What is overwritten is kept as often as the host counts.
__global__ void twice_shifted(double *a, const double *c, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < n >> 1; k++) a[i] = sin(a[i]) * c[i] - c[k];
  for (int k = 0; k < 1 << m; k++) a[i] = cos(a[i]) * c[i] + c[k];
}
