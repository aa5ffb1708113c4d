// Derivatives that the user wrote for methods, operators, constructors and functions of objects.

struct Vec {
  double x, y;
  __host__ __device__ Vec(double x, double y) : x(x), y(y) {}
  __host__ __device__ Vec(double both) : x(both), y(both * both) {}
  __device__ double norm() const { return sqrt(x * x + y * y); }
  __device__ void scale(double s) { x *= s; y *= s * s; }
  __device__ double bump(double s) { x += s; return x * y; }
  __device__ Vec &operator+=(const Vec &o) { x += o.x; y += o.y * o.y; return *this; }
  __device__ double operator()(double t) const { return x * t + y; }
  __device__ double operator[](int i) const { return i ? y : x; }
};
__device__ Vec operator+(const Vec &a, const Vec &b) { return Vec(a.x + b.x, a.y * b.y); }
__device__ Vec turned(Vec v, double a) { return Vec(v.x * cos(a), v.y * a); }
__device__ double both(const Vec *v, int n) { double t = 0; for (int i = 0; i < n; ++i) t += v[i].x * v[i].y; return t; }
__device__ void swap(Vec &a, Vec &b) { double t = a.x; a.x = b.x; b.x = t * b.x; }
namespace cladpy { namespace custom_derivatives {
__device__ inline void norm_pullback(const Vec *self, double d, Vec *d_self) {
  double n = sqrt(self->x * self->x + self->y * self->y);
  d_self->x += d * self->x / n;
  d_self->y += d * self->y / n;
}
__device__ inline void scale_pullback(Vec *self, double s, Vec *d_self, double *d_s) {
  *d_s += self->x * d_self->x + 2 * s * self->y * d_self->y;
  d_self->x *= s;
  d_self->y *= s * s;
}
namespace class_functions {
__device__ inline void bump_pullback(Vec *self, double s, double d, Vec *d_self, double *d_s) {
  d_self->x += d * self->y;
  d_self->y += d * (self->x + s);
  *d_s += d_self->x;
}
__device__ inline void operator_plus_equal_pullback(Vec *self, const Vec &o, Vec *d_self, Vec *d_o) {
  d_o->x += d_self->x;
  d_o->y += 2 * o.y * d_self->y;
}
__device__ inline void operator_call_pullback(const Vec *self, double t, double d, Vec *d_self, double *d_t) {
  d_self->x += d * t;
  d_self->y += d;
  *d_t += d * self->x;
}
__device__ inline void operator_subscript_pullback(const Vec *self, int i, double d, Vec *d_self) {
  (i ? d_self->y : d_self->x) += d;
}
__device__ inline void constructor_pullback(Vec *self, double both, Vec *d_self, double *d_both) {
  *d_both += d_self->x + 2 * both * d_self->y;
}
}
__device__ inline void operator_plus_pullback(const Vec &a, const Vec &b, Vec d, Vec *d_a, Vec *d_b) {
  d_a->x += d.x; d_b->x += d.x;
  d_a->y += d.y * b.y; d_b->y += d.y * a.y;
}
__device__ inline void turned_pullback(Vec v, double a, Vec d, Vec *d_v, double *d_a) {
  d_v->x += d.x * cos(a);
  d_v->y += d.y * a;
  *d_a += d.y * v.y - d.x * v.x * sin(a);
}
__device__ inline void both_pullback(const Vec *v, int n, double d, Vec *d_v) {
  for (int i = 0; i < n; ++i) {
    atomicAdd(&d_v[i].x, d * v[i].y);
    atomicAdd(&d_v[i].y, d * v[i].x);
  }
}
__device__ inline void swap_pullback(Vec &a, Vec &b, Vec *d_a, Vec *d_b) {
  double t = d_b->x;
  d_b->x = d_a->x + t * a.x;
  d_a->x = t * b.x;
}
} }

__global__ void lengths(const double *x, const Vec *v, double *y, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  Vec a(x[i], 2.0);
  y[i] = a.norm() * v[i].norm();
}

__global__ void scaled(const double *x, const Vec *v, double *y, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  Vec a(x[i], 2.0);
  a.scale(x[i]);
  a.scale(a.x);
  y[i] = a.x * a.y;
}

__global__ void bumped(const double *x, const Vec *v, double *y, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  Vec a(x[i], 2.0);
  double r = a.bump(x[i]);
  r *= a.bump(r);
  y[i] = a.x * a.y * r;
}

__global__ void added_to(const double *x, const Vec *v, double *y, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  Vec a(x[i], 2.0);
  (a += v[i]) += a;
  a += v[(i+1)%n];
  y[i] = a.x * a.y;
}

__global__ void called(const double *x, const Vec *v, double *y, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  Vec a(x[i], x[i]*x[i]);
  y[i] = a(x[i]) * a[1] * a[0] * v[i](x[i]);
}

__global__ void made(const double *x, const Vec *v, double *y, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  Vec a(x[i]);
  Vec b = Vec(a.y * x[i]);
  y[i] = a.x * b.y;
}

__global__ void added(const double *x, const Vec *v, double *y, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  Vec a(x[i], 3.0);
  Vec b = a + v[i];
  Vec c = b + a + b;
  y[i] = c.x * c.y;
}

__global__ void turned_twice(const double *x, const Vec *v, double *y, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  Vec a(x[i], 3.0);
  Vec b = turned(turned(a, x[i]), a.x);
  y[i] = b.x * b.y;
}

__global__ void summed(const double *x, const Vec *v, double *y, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  y[i] = both(v, n) * x[i] + both(v + 1, 2);
}

__global__ void swapped(const double *x, const Vec *v, double *y, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  Vec a(x[i], 3.0), b(x[i] * x[i], 1.0);
  for (int j = 0; j < 3; ++j) swap(a, b);
  y[i] = a.x * b.x;
}

__global__ void in_a_loop(const double *x, const Vec *v, double *y, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  Vec a(x[i], 2.0);
  for (int j = 0; j < 3; ++j) { a.scale(x[i]); if (a.x > 0.5) a += v[j]; }
  y[i] = a.x * a.y + a.norm();
}

__global__ void deciding(const double *x, const Vec *v, double *y, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  Vec a(x[i], 2.0);
  if (a.norm() > 2.2) { a.scale(2.0); }
  y[i] = a.x * a.y;
}

__global__ void elements(const double *x, const Vec *v, double *y, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  Vec a[2] = {Vec(x[i], 1.0), Vec(2.0, x[i])};
  y[i] = a[1].norm() * a[i % 2].norm();
  a[i % 2].scale(x[i]);
  y[i] += a[0].x * a[1].y;
}

__global__ void referred(const double *x, const Vec *v, double *y, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  const Vec &r = v[i];
  y[i] = r.norm() + x[i];
}

__device__ double factors[4];
__device__ double scaled_by(double x, int k) { return x * factors[k]; }
namespace cladpy { namespace custom_derivatives {
__device__ inline void scaled_by_pullback(double x, int k, double d, double *d_x, int *d_k) { *d_x += d * factors[k]; }
}}
__global__ void constants(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = scaled_by(x[i] * x[i], i % 4);
}

// A barrier before and after a method that changes its object.
__global__ void between_barriers(const double *x, double *y, int n) {
  __shared__ double tile[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? x[i] : 0.5;
  __syncthreads();
  Vec v(tile[threadIdx.x], 2.0);
  double t = v.bump(tile[threadIdx.x ^ 1]);
  for (int j = 0; j < 4; ++j) t += sin(tile[j]);
  __syncthreads();
  if (i < n) y[i] = t * v.x;
}

// The host's objects: what the method gives is asked for once more in the reverse sweep.
struct Growing {
  double x, y;
  double grow(double s) { x += s; return x * y; }
};
namespace cladpy { namespace custom_derivatives { namespace class_functions {
inline void grow_pullback(Growing *self, double s, double d, Growing *d_self, double *d_s) {
  const double x = self->x + s;
  d_self->x += d * self->y;
  d_self->y += d * x;
  *d_s += d_self->x;
}
}}}
double bumped_on_host(const double *x) {
  Growing v = {x[0], x[1]};
  const double t = v.grow(x[2]);
  return t * t * v.x * v.y;
}

// Local objects whose numbers a function takes for an array that it changes, some with an integer between them.
struct Spread { double a, b; int n; double c, d; };
struct Even { double a, b, c, d; };
__device__ double damped(double *p, int n, double v) {
  for (int k = 0; k < n; ++k) p[k] = 0.5 * p[k] + v * p[k] * p[k];
  return p[0] * v;
}
namespace cladpy { namespace custom_derivatives {
__device__ inline void damped_pullback(double *p, int n, double v, double d, double *d_p, double *d_v) {
  *d_v += d * (0.5 * p[0] + v * p[0] * p[0]);
  d_p[0] += d * v;
  for (int k = 0; k < n; ++k) {
    *d_v += d_p[k] * p[k] * p[k];
    d_p[k] *= 0.5 + 2 * v * p[k];
  }
}
}}
__global__ void as_numbers(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Even o = {x[i], x[i] * x[i], sin(x[i]), 0.7};
  double t = damped(&o.a, 4, x[i]);
  t += damped((double *)&o + 1, 2, o.a);
  if (x[i] > 0.6) t *= damped(&o.b, 3, o.c);
  Spread s = {x[i], o.b, i, o.c, t};
  double factor = damped(&s.c, 2, s.a);
  t += factor * damped(&s.a, 2, s.d);
  y[i] = t + o.a * o.b * o.c * o.d + s.a * s.b * s.c * s.d + s.n;
}

// A method that is called for what it does to its object: nobody takes what it gives.
__global__ void nobody_takes(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Vec v(x[i], 2.0);
  v.bump(x[i]);
  y[i] = sin(v.x) * v.y;
}
