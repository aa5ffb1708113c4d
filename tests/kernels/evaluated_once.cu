// Sums that only a factor's adjoint asks for, and branches that are evaluated again.

// Resonances: a weight for each sum, one of two ways to make its terms, and terms of two kinds.
__device__ double near_by(double z, const double *table) {
  double held[3] = {0.5, 0.25, 0.125};
  double sum = 0.0;
  for (int n = 0; n < 3; n++) sum += held[n] * exp(-z * z) * table[n] / (n + 1.0 + z * z);
  return sum;
}

__global__ void resonances(int kind, const int *first, const double *poles, const double *table, const double *weights,
                           const double *x, double *y, int m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double out[2] = {0.0, 0.0};
  for (int k = 0; k < m; k++) {
    double part[2];
    double factors[2];
    for (int l = 0; l < 2; l++) factors[l] = cos(x[i] * poles[l]);
    double a = x[i] * table[k % 3], b = table[(k + 1) % 3];
    const int begin = first[k], end = first[k] + 3;
    if (kind == 1) {
      for (int p = begin; p < end; p++) {
        const double z = x[i] - poles[p];
        double w;
        if (fabs(z) < 0.6)
          w = near_by(z, table);
        else
          w = z / (1.0 + z * z);
        a += w * factors[p % 2] * poles[p + 1];
        b += w * poles[p + 2];
      }
    } else {
      for (int p = begin; p < end; p++) {
        const double z = sqrt(2.0 + poles[p] * x[i]);
        a += z * factors[p % 2];
        b += z * z * z;
      }
    }
    part[0] = a;
    part[1] = a - b;
    for (int c = 0; c < 2; c++) out[c] += part[c] * weights[m * c + k];
  }
  for (int c = 0; c < 2; c++) y[2 * i + c] = out[c];
}

// The adjoint of the terms asks for the sum: it is made first.
__global__ void squared(const double *a, const double *x, double *y, int m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = 0.0;
  for (int k = 0; k < m; k++) s += sin(a[k] * x[i]);
  y[i] = s * s * a[0];
}

// What is carried is no sum, and a sum decides.
__global__ void carried(const double *a, const double *w, const double *x, double *y, int m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = 0.0, p = 1.0, d = 0.0;
  for (int k = 0; k < m; k++) {
    const double t = sin(a[k] * x[i]);
    s += t;
    p = 0.5 * p + t * t;
    d += exp(t);
  }
  y[i] = s * w[0] + p * w[1];
  if (d > 0.5 * m) y[i] += d * w[2];
}

// The loops differ in where they begin, where they end, or in their step.
__global__ void apart(const double *a, const double *w, const double *x, double *y, int m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = 0.0, t = 0.0, u = 0.0, v = 0.0;
  for (int k = 0; k < m; k++) s += sin(a[k] * x[i]);
  for (int k = 1; k < m; k++) t += sin(a[k] * x[i]);
  for (int k = 0; k < m; k += 2) u += sin(a[k] * x[i]);
  for (int k = 0; k < m - 1; k++) v += sin(a[k] * x[i]);
  y[i] = s * w[0] + t * w[1] + u * w[2] + v * w[0];
}

// Both begin, end and step alike: one loop makes the sine for both; a third asks for the first.
__global__ void alike(const double *a, const double *w, const double *x, double *y, int m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = 0.0, t = 1.0, u = 0.0;
  for (int k = 0; k < m; k++) s += sin(a[k] * x[i]);
  for (int k = 0; k < m; k++) t = 0.5 * t * sin(a[k] * x[i]) + a[k];
  for (int k = 0; k < m; k++) u += sin(a[k] * x[i]) * s;
  y[i] = s * w[0] + t * w[1] + u * w[2];
}

// The array has other contents the second time, and the condition is another one.
__global__ void changed(const double *a, const double *w, const double *x, double *y, int m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double held[4], s = 0.0, t = 0.0;
  int turn = i % 3;
  for (int k = 0; k < 4; k++) held[k] = sin(a[k] * x[i]);
  if (turn == 0)
    for (int k = 0; k < 4; k++) s += exp(held[k]);
  for (int k = 0; k < 4; k++) held[k] = held[k] * held[(k + 1) % 4];
  turn = (turn + 1) % 3;
  if (turn == 0)
    for (int k = 0; k < 4; k++) t += exp(held[k]);
  y[i] = s * w[0] + t * w[1];
}
