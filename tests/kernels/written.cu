// What functions write, that are kept or call themselves: their own variables, by every way that leads there.
struct Point {
  double a, b;
  __device__ Point &scale(double s) {
    a *= s;
    return *this;
  }
  __device__ double sum() const { return a + b; }
};

__device__ Point made(double a) { return Point{a, 2 * a}; }

__device__ double own(double a, int c) {
  double u = a, v = 2 * a, w[4] = {a, a, a, a};
  (u *= 2, v) = 3 * a;
  (u += 1) += a;
  ++(u = v);
  (c ? u : v) *= a;
  double *p = nullptr;
  if (c) p = w;
  else p = &w[0];
  *p++ = 3 * a;
  *(p += 1) *= a;
  *(p - 1) += u;
  *(c ? p : &v) *= 2;
  double &r = c ? u : v;
  r += 1;
  return u * v + w[0] + w[1] * w[2] + made(a).scale(3).sum();
}

__global__ void own_variables(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = own(x[i], i % 2) * own(y[i], 1);
}

__device__ double *chosen(Point *p, int n) { return n % 2 ? &p->a : &p->b; }

__device__ void repeated(Point *p, double *v, int n) {
  if (n == 0) return;
  *chosen(p, n) *= v[0];
  double *numbers = (double *)p;
  numbers[1] += 1;
  repeated(p, v, n - 1);
}

__global__ void by_a_function(double *x, Point *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) repeated(&y[i], &x[i], 3);
}

union Bits {
  float f;
  int i;
};

__device__ float guess(float a) {
  Bits b;
  b.f = a;
  b.i = 0x5f3759df - (b.i >> 1);
  return b.f;
}
__device__ float through(float a) {
  Bits b;
  b.f = a * a;
  return b.f * a;
}

__global__ void by_a_union(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = through(x[i]) * (guess(2.0f) > 1 ? 1 : x[i]);
}
