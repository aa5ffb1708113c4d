// Sines and cosines of one number: those that gradients compute together, and those that stay apart.
__global__ void waves(const double *x, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double v = x[i];
  y[i] = sin(v) * exp(-v) + v * cos(2.0 * v) + sinpi(v) * cospi(v);
}

__global__ void waves_float(const float *x, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = x[i];
  y[i] = sinf(v) * v + cosf(0.5f * v) - cospif(v);
}

// What is computed under a condition stays there, and is not computed elsewhere.
__global__ void now_and_then(const double *x, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double v = x[i];
  double s = v > 0.0 ? sin(v) : cos(v);
  if (v > 0.5) s += sin(v) * cos(v);
  y[i] = s;
}

// A number that changes in between.
__global__ void turned(const double *x, double *y, int n, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double v = x[i], sum = 0.0;
  for (int k = 0; k < steps; k++) {
    v += 0.1 * sin(v);
    sum += cos(v) * v;
  }
  y[i] = sum;
}

// Sines that decide: what is chosen in the two sweeps must be the same, also where it hangs on the last bit.
__global__ void decided(const double *x, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double v = x[i];
  const double s = sin(v);
  double t = s * v;
  while (t < s + 1.5) t = t * 1.5 + s * s + 0.2;
  const int bin = (int)(4.0 * (1.0 + cos(v)));
  y[i] = t * s + cos(v) * (bin % 2 ? v : 2.0 * v);
}

// Both from one call of the program's own.
__global__ void rotated(const double *angle, const double *x, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s, c;
  sincos(angle[i], &s, &c);
  y[i] = c * x[i] - s * x[n - 1 - i];
}

// In an array of the thread's that is looked up by what stands in it.
__global__ void looked_up(const double *x, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double table[4];
  for (int k = 0; k < 4; k++) table[k] = sin(x[i] + k) + cos(x[i] + k);
  int best = 0;
  for (int k = 1; k < 4; k++)
    if (table[k] > table[best]) best = k;
  y[i] = table[best] * x[i];
}

__device__ double wave(double v) { return sin(v) * v; }

__global__ void in_a_function(const double *x, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = wave(x[i]) + wave(2.0 * x[i]);
}
