// Shared memory of which threads read elements of their own and others beside them, in a branch that not all take: what
// is read of others is added to after the branch, when the block has waited. And where that would be wrong.

#define T threadIdx.x

// A tree that gets narrower by a node in each step, in place.
__global__ void tree(const double *x, double *y, double p, int steps) {
  __shared__ double s[40];
  const int t = T;
  s[t] = x[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int level = steps - 1; level >= 0; level--) {
    double value = 0.0;
    if (t <= level) {
      const double held = p * s[t + 1] + (1.5 - p) * s[t] * s[t];
      value = fmax(held, 0.3 * sin(x[t] * level));
    }
    __syncthreads();
    if (t <= level) s[t] = value;
    __syncthreads();
  }
  if (t == 0) y[blockIdx.x] = s[0];
}

// Three of them; in the second kernel some in the other branch, where threads would meet those of the first.
__global__ void three(const double *x, double *y, int n) {
  __shared__ double s[32];
  const int t = T;
  s[t] = x[t];
  __syncthreads();
  double sum = x[t];
  if (t > 0 && t < n) sum = s[t - 1] * s[t] * s[t + 1];
  __syncthreads();
  y[blockIdx.x * blockDim.x + t] = sum * sum;
}

__global__ void both_ways(const double *x, double *y, int n) {
  __shared__ double s[32];
  const int t = T;
  s[t] = x[t];
  __syncthreads();
  double sum;
  if (t > 0 && t < n) {
    sum = s[t - 1] * s[t + 1];
  } else {
    sum = s[t] * s[31 - t];
  }
  __syncthreads();
  y[blockIdx.x * blockDim.x + t] = sum * sum;
}

// From one half of the memory to the other, with a barrier in each turn.
__global__ void back_and_forth(const double *x, double *y, int turns) {
  __shared__ double s[64];
  const int t = T;
  s[t] = x[t];
  s[t + 32] = 0.0;
  __syncthreads();
  for (int k = 0; k < turns; k++) {
    if (t < 31 - k) s[(k + 1) % 2 * 32 + t] = s[k % 2 * 32 + t] * s[k % 2 * 32 + t + 1] + 0.5;
    __syncthreads();
  }
  y[blockIdx.x * blockDim.x + t] = s[turns % 2 * 32 + t];
}

// The same elements are read in every turn, and nobody waits between the turns.
__global__ void no_waiting(const double *x, double *y) {
  __shared__ double s[33];
  const int t = T;
  s[t] = x[t];
  if (t == 0) s[32] = x[3];
  __syncthreads();
  double sum = 0.0;
  for (int k = 0; k < 4; k++)
    if (t > k) sum += s[t] * s[t + 1] * (k + 1);
  __syncthreads();
  y[blockIdx.x * blockDim.x + t] = sum;
}

// An index that is only known in the branch, and a store between the loads.
__global__ void known_inside(const double *x, double *y, int n) {
  __shared__ double s[40], r[40];
  const int t = T;
  s[t] = x[t], r[t] = x[t] * x[t];
  if (t < 8) s[t + 32] = 1.0, r[t + 32] = x[t];
  __syncthreads();
  double sum = 0.0;
  if (t < n) {
    const int beside = t + (x[t] > 0.7 ? 2 : 1);
    sum = s[t] * s[beside];
  }
  __syncthreads();
  double more = 0.0;
  if (t % 2 == 0) {
    more = r[t] * sum;
    r[t] = more * more;
    more += r[t] * r[t + 1];
  }
  __syncthreads();
  y[blockIdx.x * blockDim.x + t] = sum + more * r[t];
}

// The branch is in a loop that is in a branch which all take, or none.
__global__ void in_nest(const double *x, double *y, int n, int turns) {
  __shared__ double s[33];
  const int t = T;
  s[t] = x[t];
  __syncthreads();
  double sum = 0.0;
  if (n > 3) {
    for (int k = 0; k < turns; k++) {
      for (int m = 0; m < 2; m++) {
        if (t < n) sum += s[t + 1] * s[t] * (m + 1);
        __syncthreads();
        if (t < n) s[t] = sin(sum);
        __syncthreads();
      }
    }
  }
  y[blockIdx.x * blockDim.x + t] = sum + s[t];
}
