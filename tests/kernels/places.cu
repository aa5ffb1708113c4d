// Places and pointers in forms that are seldom written: steps of pointers, operands for their effect only, large objects.
struct Pair {
  double a, b;
};
struct Large {
  double v[20];
  double *p;
};
struct Scale {
  double k;
  __device__ double of(double v) const { return k * v; }
};
struct Twice : Scale {
  double m;
  __device__ Twice(double k) : Scale{k}, m(2 * k) {}
  __device__ double of(double v) const { return Scale::of(v) * m; }
};

__device__ void set(double *p, double v) { *p = v * v; }
__device__ void set_again(double *p, double v) { return set(p, v); }

__global__ void steps(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double *p = 1 + x;
  p += i;
  p -= 1;
  const double *q = p++;
  --p;
  double *o = (q = p, y + n);
  o -= n - i;
  *o = *q * *p + *(&x[i]) * (p == q ? 2 : 3) + i[x];
  (*o, *o) *= x[i];
}

__global__ void effects(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double t = 0, u = x[i], w;
  float f = x[i];
  unsigned char c = 250;
  int k = 0;
  for (int j = 0; j++ < 4;) {
    if (j == 2) continue;
    t += x[i] * j;
    f++, --u, c += 3;
  }
  k++ && (t = t * t);
  k-- || (u *= 2);
  k ? (void)(u += 1) : (void)(t *= x[i]);
  (void)(t += 2 * u), u -= t;
  (void)Pair{t *= 2, u};
  Pair object = {u, t};
  object;
  set_again(&w, t);
  y[i] = t + u * f + w * c + object.a * object.b;
}

__global__ void large_objects(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Large a = {};
  a.p = y + i;
  for (int k = 0; k < 20; ++k) a.v[k] = x[i] * k;
  Large b = a, c;
  b.v[3] *= x[i];
  a = i % 2 ? b : a;
  c = (b.v[1] += 1, b);
  Twice t(x[i]);
  Scale &base = t;
  base.k *= 2;
  *a.p = a.v[3] * b.v[2] * c.v[1] + t.of(x[i]) + static_cast<Twice &>(base).m * x[i];
}

// What a loop exchanges is the same in each iteration.
__global__ void exchanged(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int a = 3, b = 3;
  double s = 0, p = x[i], q = 2 * x[i];
  for (int k = 0; k < 4; ++k) {
    const int third = k % 2 ? 6 / a : 6 / b;
    int t = a;
    a = b;
    b = t;
    if (x[i] > 0.2 * k) {
      const double r = p;
      p = q;
      q = r * r;
    }
    s += p * third;
  }
  y[i] = s + b;
}
