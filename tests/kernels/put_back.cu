// Shared memory that loops overwrite, and that branches load from: it is put back, or what was loaded is kept.

#define T threadIdx.x
#define B blockDim.x

// Two loops one after the other, what is read between them and behind them, and a store in the end.
__global__ void two_loops(const double *x, double *out, int steps) {
  __shared__ double s[64];
  const int t = T, n = B;
  s[t] = x[blockIdx.x * n + t];
  __syncthreads();
  for (int k = 1; k <= steps; ++k) {
    double v = 0.2;
    if (t + k < n) v = s[t] * s[t + k] + 0.3 * s[t + 1];
    __syncthreads();
    if (t + k < n) s[t] = v;
    __syncthreads();
  }
  const double between = s[t] * s[n - 1 - t];
  __syncthreads();
  for (int k = 1; k <= steps; ++k) {
    double v = between;
    if (t >= k) v = s[t - k] * s[t] * (s[t - 1] + 0.5);
    __syncthreads();
    s[t] = v;
    __syncthreads();
  }
  double last = s[t] * s[0];
  __syncthreads();
  s[n - 1 - t] = last;
  __syncthreads();
  out[blockIdx.x * n + t] = last * s[t] * between;
}

// What a branch gives is asked for outside of it, before the next barrier and behind it.
__global__ void given_outside(const double *x, double *out, int steps) {
  __shared__ double s[64];
  const int t = T;
  s[t] = x[blockIdx.x * B + t];
  __syncthreads();
  for (int k = 1; k <= steps; ++k) {
    double v = 0.0;
    if (t >= k) v = s[t - k] * s[t] + s[t - 1];
    const double w = v * v;
    __syncthreads();
    if (t >= k) s[t] = w * v + 0.1;
    __syncthreads();
  }
  out[blockIdx.x * B + t] = s[t];
}

// The branch stores itself, where nobody else loads.
__global__ void in_place(const double *x, double *out) {
  __shared__ double s[64];
  const int t = T;
  s[t] = x[blockIdx.x * B + t];
  __syncthreads();
  for (int half = B / 2; half > 0; half >>= 1) {
    if (t < half) s[t] = s[t] * s[t + half] + 0.5 * s[t];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0] * s[1];
}

// Memory of the launch, in single precision; branches in branches, one of which the numbers decide.
__global__ void chosen(const float *x, float *out, int steps) {
  extern __shared__ float s[];
  const int t = T, n = B;
  s[t] = x[blockIdx.x * n + t];
  __syncthreads();
  for (int k = 0; k < steps; ++k) {
    float v = 0.1f;
    if ((t + k) % 2 == 0) {
      const float left = s[(t + n - 1) % n], right = s[(t + 1) % n];
      if (left < right)
        v = left * right * s[t];
      else if (t > 3)
        v = sinf(s[t]) * left;
      v += 0.2f * right * right;
    } else {
      v = s[t] * s[t] * 0.9f;
    }
    __syncthreads();
    s[t] = v + 0.3f;
    __syncthreads();
  }
  out[blockIdx.x * n + t] = s[t];
}

// Two arrays, which are loaded from and stored to between the same barriers: in one of them every thread has two elements,
// of which it overwrites the one that it does not load.
__global__ void by_turns(const double *x, double *out, int steps) {
  __shared__ double a[2][64], b[64];
  const int t = T, n = B;
  a[0][t] = x[blockIdx.x * n + t];
  a[1][t] = 0.25;
  b[t] = 0.5 + x[blockIdx.x * n + t];
  __syncthreads();
  for (int k = 0; k < steps; ++k) {
    const int from = k % 2;
    double v = 0.4;
    if (t > k) v = a[from][t] * a[from][t - 1] * b[t];
    a[1 - from][t] = v;
    __syncthreads();
    double w = 0.0;
    if (t + k + 1 < n) w = a[1 - from][t] * a[1 - from][t + 1] + b[t] * b[t + 1];
    __syncthreads();
    b[t] = w;
    __syncthreads();
  }
  out[blockIdx.x * n + t] = a[steps % 2][t] * b[t];
}

// All threads store one value to an element: what they overwrite is what the first of them has stored.
__global__ void one_value(const double *x, double *out, const double *w, int steps) {
  __shared__ double s[2], t[64];
  s[0] = 1.0;
  s[1] = 0.5;
  t[T] = x[blockIdx.x * B + T];
  __syncthreads();
  double sum = 0.0;
  for (int k = 0; k < steps; ++k) {
    if (k % 3 != 1) sum += s[0] * s[1] * t[T] * t[B - 1 - T];
    __syncthreads();
    s[k % 2] = w[k];
    t[T / 2] = w[T / 2] * 0.5;
    __syncthreads();
  }
  out[blockIdx.x * B + T] = sum;
}

// The same in memory of the caller's, which holds in the end what it held before.
__global__ void one_value_for_all(double *state, const double *x, double *out, const double *w, int steps) {
  double sum = 0.0;
  for (int k = 0; k < steps; ++k) {
    if (k % 3 != 1) sum += state[0] * state[1] * x[blockIdx.x * B + T];
    __syncthreads();
    state[k % 2] = w[k];
    __syncthreads();
  }
  state[2] = 0.25;
  out[blockIdx.x * B + T] = sum * state[2];
}
