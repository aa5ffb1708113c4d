// `goto` out of loops, to the end of a block, and back.
__global__ void out_of_loops(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double v = x[i], s = 0;
  for (int k = 0; k < 4; ++k)
    for (int j = 0; j < 4; ++j) {
      s += v * k + j * v * v;
      if (s > 5) goto done;
    }
  s *= 2;
done:
  y[i] = s * s;
}

// Back over a declaration that has a value: what is declared ends there.
__global__ void back(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) goto out;
  {
    double t = x[i];
    int k = 0;
  again:
    t = t * 1.1 + sin(t);
    double u = t * t;
    if (u < 9 && ++k < 9) goto again;
    y[i] = u * t;
  }
out:;
}

// All kinds in one loop, with the loop's own jumps between them.
__global__ void mixed(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double acc = 0;
  for (int r = 0; r < 6; ++r) {
    double t, u;
    int k;
    t = 4 * x[i] - 2 + r;
    k = 0;
    if (t < 0) goto negative;
  retry:
    t *= 0.5;
    if (t > 1) goto retry;
    if (r == 3) continue;
    while (true) {
      t += 0.2 * x[i];
      if (++k > 3) goto ends;
      if (t > 1.2) break;
      if (t < 0.3) goto retry;
    }
    acc += t;
  negative:
    u = t * t;
    if (u > 1.4) break;
    acc += u;
    goto last;
  ends:
    acc += 2 * t * t * t;
  last: also_last:
    acc *= 1.1;
    if (acc > 90) goto also_last;
  }
  y[i] = acc;
}

// Two that go back over parts of the same, from a `switch` as well; a `goto` of a lambda is the lambda's own.
__global__ void both_back(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  auto cut = [](double v) {
    if (v < 0.6) goto end;
    v = 0.6 + 0.1 * v;
  end:
    return v;
  };
  double t = x[i], s = 0;
  int k = 0;
first:
  s += t * t;
second:
  t = cut(t * 1.3);
  switch (++k % 3) {
    case 0: if (k < 8) goto first; break;
    case 1: s += t; if (k < 9) goto second;
    default: s *= 1.2;
  }
  while (k < 10) {
    if (++k % 2) continue;
    s += t * k;
    goto first;
  }
  y[i] = s * t;
}

// Threads that go where barriers are not.
__global__ void with_barriers(const double *x, double *y, int n) {
  __shared__ double tile[32];
  int t = threadIdx.x;
  double v = t < n ? x[t] : 0;
  if (v > 0.7) goto store;
  v = v * v + 0.1;
  if (v < 0.3) goto store;
  v *= 3;
store:
  tile[t] = v;
  __syncthreads();
  if (t < n) y[t] = tile[t] * tile[(t + 1) % n];
}
