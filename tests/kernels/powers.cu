// Products in which factors come again, on one side or on both, beside others, and in sums.
__global__ void powers(const double *x, const double *w, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double a = x[i], b = w[i];
  const double cube = b * a * a * a, mixed = b * a * b * a, sides = (a * b) * (b * a), same = (a * b) * (a * b);
  const double between = a * (b * a) * 2.0 * a, root = sqrt(a * a + b * b), high = a * a * a * a * b * b;
  const double whole = (a + b) * b * (a + b) * (a + b);
  y[i] = cube - 2.0 * mixed + 0.5 * sides * same + between / root + high * a + whole;
}

// One of the factors has no derivative, and one may be infinite where the product is discarded.
__global__ void some_powers(const double *x, const double *s, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double scale = s[i], a = x[i], inverse = 1.0 / (a - 0.2);
  double pull = scale * inverse * scale * inverse * inverse;
  if (a < 0.4) pull = scale * a * a * scale;
  y[i] = pull * a * 0.01 * pull + scale * scale * a;
}

__global__ void in_loops(const double *x, const double *w, double *y, int m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double r = x[i], sum = 0.0;
  for (int k = 0; k < m; k++) {
    const double d = r - w[k];
    r = 0.5 * r * r * w[k] * r + 0.1 * x[i];
    sum += d * d * d + w[k] * d * w[k];
  }
  y[i] = sum * r * sum;
}
