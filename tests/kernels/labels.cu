// Labels of a switch in the middle of other statements, what stands before the first, and init-statements.
__global__ void in_branches(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double r = x[i];
  switch (i % 6) {
    r = 100;
    int k;
    double t;
    case 0:
      r *= x[i];
      k = 3;
      t = r * k;
      if (r > 0.5) {
        r += t;
        case 1: k = 2; t = sin(r); r += k * t;
      } else {
        r -= 2 * x[i];
        case 2: t = 5 * r; r *= t;
        break;
        default: r *= 7;
      }
      r += 1.5 * x[i];
    case 4: r *= r;
  }
  y[i] = r;
}

// Duff's device.
__global__ void unrolled(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int count = i % 9 + 1, rounds = (count + 3) / 4, at = 0;
  double s = 0;
  switch (count % 4) {
    case 0: do { s += x[at] * x[at]; ++at;
    case 3:      s += sin(x[at]); ++at;
    case 2:      s *= x[at]; ++at;
    case 1:      s += 2 * x[at]; ++at;
            } while (--rounds > 0);
  }
  y[i] = s;
}

// Loops with labels in them, which are come into and left in every way.
__global__ void in_loops(const double *x, double *y, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  double s = x[t];
  for (int j = 0; j < 4; ++j) {
    int i = 0;
    switch (t % 5 + j) {
      for (i = 1; i < 5; ++i) {
        s *= 1 + 0.2 * x[i];
        if (s > 3) continue;
        case 2: s += x[i];
        if (s > 2) break;
        case 3: { s -= 0.3 * x[i] * s; case 4: s += x[0]; }
      }
      s += x[j];
      break;
      while (i < 5) { s *= x[i]; ++i; case 5: s += 2 * x[i]; if (s < 0.5) { y[t] = s * s; return; } }
      default: continue;
    }
    s *= 1.1;
  }
  y[t] = s;
}

template <int n> __device__ double chosen(double x) {
  double r = x * x;
  switch (n) { case 0: { case 1: r += x; { case 2: r *= x; } } }
  return r;
}
__global__ void by_constants(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double r = chosen<0>(x[i]) + 2 * chosen<1>(x[i]) + 3 * chosen<2>(x[i]) + 4 * chosen<3>(x[i]);
  switch (int k = i % 3, /* , ; */ *p = &k; k) {
    case 1: r *= x[i]; *p = 5;
    case 2: r += k * x[i];
  }
  switch (const int k = i % 4; int m = k + 1) {
    case 3: r *= x[i] * m; break;
    default: r *= k + x[i];
  }
  y[i] = r;
}
