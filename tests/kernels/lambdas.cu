// Lambdas that name the shared memory of the kernel around them, which C++ does not capture.

template <class F>
__device__ double twice(F f, double x) {
  return f(f(x));
}

// By reference, and with no captures at all.
__global__ void in_place(const double *x, double *y) {
  __shared__ double s[32];
  __shared__ double scale;
  const int t = threadIdx.x;
  s[t] = x[t];
  if (t == 0) scale = x[3];
  __syncthreads();
  auto halve = [&](double p) -> double {
    s[t] *= 0.5 * scale;
    return sin(p) * s[t];
  };
  auto opposite = [](int k) { return s[31 - k] * scale; };
  const double v = halve(x[t]);
  __syncthreads();
  y[t] = opposite(t) * v;
}

// Tables of two dimensions, lambdas in lambdas, and passed on; a shadowed name means something else.
__global__ void tables(const double *x, double *y, int n) {
  __shared__ double table[4][8];
  const int t = threadIdx.x;
  table[t / 8][t % 8] = x[t] * x[(t + 1) % n];
  __syncthreads();
  auto row = [n](int r, double v) {
    auto entry = [&](int c) { return table[r][c] * v; };
    double sum = 0.0;
    for (int c = 0; c < 8; c++) sum += entry(c) / n;
    return sum;
  };
  auto shadow = [](double v) {
    double table[2] = {v, 2.0 * v};
    return table[0] * table[1];
  };
  const double gained = twice([=](double v) { return v * table[t % 4][t / 4]; }, x[t]);
  __syncthreads();
  y[t] = row(t % 4, x[t]) + shadow(x[t]) + gained;
}

// Dynamic shared memory, and a lambda for any type.
__global__ void dynamic(const float *x, float *y) {
  extern __shared__ float held[];
  const int t = threadIdx.x;
  held[t] = x[t];
  __syncthreads();
  auto mixed = [&](auto weight) { return held[(t + 1) % blockDim.x] * static_cast<float>(weight) + held[t]; };
  y[t] = mixed(2) * mixed(0.5f);
}

// Loops over ranges in lambdas, which capture what they need and nothing of the loop's own.
struct Triple {
  double v[3];
};
__global__ void ranges(const double *x, double *y) {
  const int t = threadIdx.x;
  const Triple p = {{x[t], 2.0 * x[t], x[t] * x[t]}};
  auto bent = [&](double h) {
    Triple r = p;
    for (auto &e : r.v) e = e > 0.0 ? e * h : 0.1 * e;
    return r;
  };
  auto product = [p](double h) {
    double r = h;
    for (const double e : p.v) r *= e + 1.0;
    return r;
  };
  y[t] = bent(3.0 * x[t]).v[2] + product(x[t]);
}
