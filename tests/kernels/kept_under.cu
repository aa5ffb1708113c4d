// What an iteration overwrites in branches: it is kept where the branch is taken, and only there.

// On both sides, under a counter and the thread's number.
__global__ void both_sides(double *x, double *y, const double *w, int n, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < steps; ++k) {
    if ((i + k) % 3 == 0)
      x[i] = sin(x[i]) * w[i];
    else
      y[i] = y[i] * y[i] * 0.5 + x[i] * w[k];
  }
}

// A branch inside of one that depends on numbers, which the reverse sweep knows only when it is there; and the other way
// around, with a division that has no value outside.
__global__ void nested(double *x, double *y, int n, int steps, int group) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < steps; ++k) {
    if (x[i] > 0.4) {
      if (k < 3) x[i] = x[i] * x[i] + 0.2 * y[i];
    }
    if (group > 0) {
      if (k % group == i % group) {
        if (y[i] < 0.9) y[i] = y[i] * x[i] + 0.3 * y[i] * y[i];
      }
    }
  }
}

// Under what an iteration carries and always keeps, and with what is made of the old content behind the branch.
__global__ void carried_flag(double *x, double *y, int n, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int turn = i % 4, seen = 0;
  double sum = 0.0;
  for (int k = 0; k < steps; ++k) {
    double old = 1.0;
    if (turn == 0) {
      old = x[i];
      x[i] = cos(old) * y[i];
      seen += k;
    }
    sum += old * old * y[i];
    turn = turn == 3 ? 0 : turn + 1 + seen % 2;
  }
  y[i] = sum;
}

// A loop under a branch, which leaves all of its frames on the tape, and how often it ran.
__global__ void loop_in_branch(double *x, double *y, int n, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < steps; ++k) {
    if (k % 2 == i % 2) {
      int left = 1 + i % 3;
      double s = y[i];
      while (left > 0 && s < 2.0) {
        x[i] = x[i] * s + 0.1;
        s = s * 1.2 + x[i] * x[i];
        --left;
      }
      y[i] = s * x[i] * 0.3;
    }
  }
}

// Shared memory, where the branch has barriers around it and the tape is asked before them.
__global__ void triangle(const double *x, double *out, int steps) {
  __shared__ double s[64];
  int t = threadIdx.x;
  s[t] = x[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int k = 1; k <= steps; ++k) {
    double v = 0.0;
    if (t >= k) v = s[t] * s[t - k] + 0.5 * s[t];
    __syncthreads();
    if (t >= k) s[t] = v;
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + t] = s[t];
}
