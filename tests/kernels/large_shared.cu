// Shared memory that is more, with its adjoint, than a kernel may declare: it is asked for at the launch.

// 24 KiB of doubles, and as much for their adjoints.
__global__ void smoothed(const double *x, double *y, int n) {
  __shared__ double tile[3072];
  __shared__ float weights[200];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  for (int k = t; k < 3072; k += blockDim.x) tile[k] = x[k % n] * x[(k + 1) % n];
  for (int k = t; k < 200; k += blockDim.x) weights[k] = 0.01f * k;
  __syncthreads();
  if (i < n) {
    double sum = 0.0;
    for (int k = 0; k < 40; ++k) sum += weights[k] * tile[(i * 41 + k) % 3072];
    y[i] = sum * sum;
  }
}

// What the reverse sweep needs is overwritten in it.
__global__ void stepped(const double *x, double *y, int steps) {
  __shared__ double now[2][1600];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  now[0][t] = x[i];
  __syncthreads();
  for (int s = 0; s < steps; ++s) {
    now[(s + 1) & 1][t] = sin(now[s & 1][t]) * now[s & 1][(t + 1) % blockDim.x];
    __syncthreads();
  }
  y[i] = now[steps & 1][t];
}

// How often it runs is known when it has run, so the gradient has a workspace.
__global__ void until_small(const double *x, double *y) {
  __shared__ double own[3200];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  own[100 * t] = x[i];
  __syncthreads();
  double value = own[100 * (blockDim.x - 1 - t)];
  while (value > 0.1) value *= 0.7 * value / (1.0 + value);
  y[i] = value;
}

// Beside memory whose size the launch gives.
__global__ void beside_dynamic(const double *x, const double *w, double *y) {
  __shared__ double own[3100];
  extern __shared__ double given[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  own[97 * t] = x[i] * x[i];
  given[t] = exp(-x[i]);
  __syncthreads();
  int other = blockDim.x - 1 - t;
  y[i] = own[97 * other] * given[other] * w[0];
}

// Dynamic memory without an adjoint beside it.
__global__ void beside_indices(const double *x, double *y) {
  __shared__ double own[3100];
  extern __shared__ int order[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  order[t] = (t * 5 + 2) % blockDim.x;
  own[t] = x[i] * x[i] * x[i];
  __syncthreads();
  y[i] = own[order[t]] + own[order[order[t]]];
}
