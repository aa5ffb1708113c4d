// Loops that carry one or two numbers: their derivatives are multiplied as they run.
#define ID (blockIdx.x * blockDim.x + threadIdx.x)

__global__ void logistic(const double *x, double *out, int m, int n) {
  int i = ID;
  if (i >= n) return;
  double s = x[i];
  for (int j = 0; j < m; j++) s = s - 0.1 * s * s;
  out[i] = s;
}

// Two numbers, and a parameter beside them that has an adjoint too.
__global__ void oscillator(const double *x, const double *k, double *out, int m, int n) {
  int i = ID;
  if (i >= n) return;
  double p = x[i], v = 0.25;
  double stiffness = k[i];
  for (int j = 0; j < m; j++) {
    double a = -stiffness * p;
    v += 0.05 * a;
    p += 0.05 * v;
  }
  out[i] = p * v;
}

// Both start as one and the same number.
__global__ void twins(const float *x, float *out, int m, int n) {
  int i = ID;
  if (i >= n) return;
  float a = x[i], b = x[i];
  for (int j = 0; j < m; j++) {
    float t = a * b;
    a = 0.5f * a + 0.3f * sinf(t);
    b = b - 0.1f * t;
  }
  out[i] = a + 2.0f * b;
}

// Branches, a condition on the data, and another number that the loop leaves behind.
__global__ void newton(const double *x, double *out, double *steps, int n) {
  int i = ID;
  if (i >= n) return;
  double c = x[i] + 2.0, s = 3.0, last = 0.0;
  int count = 0;
  while (s * s - c > 1e-9 || c - s * s > 1e-9) {
    last = s;
    if (s > 2.5)
      s = s - 0.9 * (s * s - c) / (2.0 * s);
    else
      s = s - (s * s - c) / (2.0 * s);
    count++;
  }
  out[i] = s + 0.001 * last;
  steps[i] = count;
}

// A loop in a loop: the inner one's derivatives are known when the outer one is multiplied.
__global__ void nested(const double *x, const double *p, double *out, int m, int n) {
  int i = ID;
  if (i >= n) return;
  double s = x[i];
  for (int j = 0; j < m; j++) {
    double t = 0.5 * s;
    for (int k = 0; k <= j; k++) t = t - 0.1 * t * t + 0.01 * p[0];
    s = s * 0.9 + 0.1 * exp(-t);
  }
  out[i] = s;
}

// In a loop that is reversed: what it loads is active.
__global__ void inner(const double *x, const double *w, double *out, int m, int n) {
  int i = ID;
  if (i >= n) return;
  double sum = 0.0;
  for (int j = 0; j < m; j++) {
    double t = x[(i + j) % n];
    for (int k = 0; k < 4; k++) t = t * 0.7 + 0.2 * t * t;
    sum += t * w[j];
  }
  out[i] = sum;
}

// What is not a number is chosen away, at every step.
__global__ void chosen(const double *x, double *out, int m, int n) {
  int i = ID;
  if (i >= n) return;
  double s = x[i], q = 0.0;
  for (int j = 0; j < m; j++) {
    double root = sqrt(s - 0.5);
    q = s > 0.5 ? root * 0.1 : 0.2 * s;
    s = 0.8 * s + 0.3 * q;
  }
  out[i] = s;
}

// Of two types, in a function of its own, under a condition that nothing follows.
__device__ float settle(float a, double rate, int m) {
  double s = a;
  for (int j = 0; j < m; j++) {
    float half = (float)(s * rate);
    s += 0.25 * half - 0.125 * s * s;
  }
  return (float)s;
}

__global__ void settled(const float *x, const double *rate, float *out, int m, int n) {
  int i = ID;
  if (i >= n) return;
  if (x[i] > 0.1f)
    out[i] = settle(x[i], rate[i], m) * x[i];
  else
    out[i] = x[i] * x[i];
}

// The number that is carried begins as one that nothing is differentiated by.
__global__ void powers(const double *x, double *out, int m, int n) {
  int i = ID;
  if (i >= n) return;
  double power = 1.0, sum = 0.0;
  for (int j = 0; j < m; j++) {
    power *= x[i];
    sum += power / (j + 1);
  }
  out[i] = sum;
}
