// What is marked as nondifferentiable: no derivative passes through it.
#include <cladpy/nondifferentiable.h>

CLADPY_NONDIFFERENTIABLE __device__ double weights[64];

CLADPY_NONDIFFERENTIABLE __device__ double limiter(double x) { return x > 0.5 ? x * x : sin(x); }
__device__ CLADPY_NONDIFFERENTIABLE void accumulate(double *p, double x) {
  double square = x * x;
  double s, c;
  sincos(x, &s, &c);
  *p = square * s + *p * c;
}
__device__ double blend(double a, CLADPY_NONDIFFERENTIABLE double b) { return a * b + b; }
CLADPY_NONDIFFERENTIABLE __device__ double table(const double *t, int i) { return t[i] * t[i + 1]; }

__global__ void marked_functions(const double *x, double *y, double *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double r = limiter(x[i]) * x[i] + table(x, i % (n - 1)) * x[i];
  z[i] = x[i] * r;
  if (x[i] > 0.6) accumulate(&z[i], x[i]);
  y[i] = r * z[i] + blend(x[i], x[i] * r);
}

__global__ void marked_variables(const double *x, double *y, CLADPY_NONDIFFERENTIABLE double *t, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  CLADPY_NONDIFFERENTIABLE double scale = 0;
  CLADPY_NONDIFFERENTIABLE double old[3];
  double s = x[i];
  for (int k = 0; k < 3; ++k) {
    old[k] = s * x[i];
    scale += s;
    t[i] = s * 3 + old[k];
    weights[i] = scale;
    s = s * x[i] + t[i] * old[k] * x[i] + scale / (1 + weights[i] * x[i]);
  }
  y[i] = s;
}

struct Pair {
  double a, b[2];
  __device__ double sum(double x) const { return a * x + b[1]; }
};

struct Seen {
  Pair pair;
  int count;
  const double &last;
};

CLADPY_NONDIFFERENTIABLE __device__ Pair loaded(const Pair *p, int i) { return p[i]; }
CLADPY_NONDIFFERENTIABLE __device__ void store(Pair *p, Pair q) { *p = q; }
__device__ double first(const Pair &p) { return p.a; }

struct CLADPY_NONDIFFERENTIABLE Table {
  double scale;
  __device__ double at(double x) const { return scale * x * x; }
  __device__ void put(double *p, double x) const { *p = scale * x; }
};
__device__ double looked_up(const Table &t, double x) { return t.at(x) * x + x; }

__global__ void marked_classes(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Table t = {x[i]};
  double s = x[i];
  t.put(&s, x[i]);
  y[i] = looked_up(t, x[i]) + t.at(x[i]) * x[i] + s * x[i];
}

__global__ void marked_objects(const Pair *x, Pair *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  CLADPY_NONDIFFERENTIABLE Pair t = x[i];
  Pair u = i % 2 ? t : x[i];
  u.a *= loaded(x, i).a * t.sum(x[i].a);
  y[i] = u;
  if (i % 3 == 0) store(&y[i], u);
  y[i].b[0] += x[i].b[1] * first(i % 5 ? x[i] : t) * t.b[0]++;
  CLADPY_NONDIFFERENTIABLE Seen seen = {x[i], 2, x[i].b[1]};
  Seen again = seen;
  y[i].b[1] += again.pair.sum(x[i].a) * again.count * again.last;
}
