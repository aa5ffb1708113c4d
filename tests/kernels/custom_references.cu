// Derivatives that the user wrote for functions that give back an argument.

struct Vec {
  double x, y;
  __device__ Vec &scaled(double s) { x *= s; y *= s * s; return *this; }
  __device__ Vec *turned(double s) { double t = x; x = y * s; y = t; return this; }
};
__device__ Vec &moved(double s, Vec &v) { if (s > 1.0) { v.x += s; return v; } v.y += s; return v; }
__device__ Vec *doubled(Vec *v) { v->x *= 2; v->y *= 2; return v; }
__device__ double &squared(double &a) { a *= a; return a; }
namespace cladpy { namespace custom_derivatives {
__device__ inline void scaled_pullback(Vec *self, double s, Vec *d_self, double *d_s) {
  *d_s += self->x * d_self->x + 2 * s * self->y * d_self->y;
  d_self->x *= s;
  d_self->y *= s * s;
}
__device__ inline void turned_pullback(Vec *self, double s, Vec *d_self, double *d_s) {
  double x = d_self->y;
  d_self->y = d_self->x * s;
  *d_s += d_self->x * self->y;
  d_self->x = x;
}
__device__ inline void moved_pullback(double s, Vec &v, double *d_s, Vec *d_v) { *d_s += s > 1.0 ? d_v->x : d_v->y; }
__device__ inline void doubled_pullback(Vec *v, Vec *d_v) { d_v->x *= 2; d_v->y *= 2; }
__device__ inline void squared_pullback(double &a, double *d_a) { *d_a *= 2 * a; }
} }

__global__ void chained(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Vec v = {x[i], x[i] * 2};
  v.scaled(x[i]).scaled(2.0).y += x[i];
  doubled(v.turned(x[i]))->x += 1.5;
  y[i] = v.x * v.y;
}

__global__ void given_back(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Vec v = {x[i], 1.5};
  Vec &same = moved(x[i], v);
  same.x *= same.y;
  moved(3.0, same).y *= x[i];
  double a = v.x;
  squared(squared(a)) += v.y;
  y[i] = a * v.x;
}

__global__ void in_memory(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = x[i] * x[i];
  squared(y[i]) *= x[i];
  for (int j = 0; j < 2; ++j) squared(y[i]) += 0.5;
}

// What is given back as a pointer to something else is counted in that.
__device__ char *bytes_of(double &a) { a *= a; return (char *)&a; }
__device__ double *numbers_of(Vec &v) { v.x *= v.x; return (double *)&v; }
namespace cladpy { namespace custom_derivatives {
__device__ inline void bytes_of_pullback(double &a, double *d_a) { *d_a *= 2 * a; }
__device__ inline void numbers_of_pullback(Vec &v, Vec *d_v) { d_v->x *= 2 * v.x; }
} }

__global__ void as_others(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[2 * i] = x[i];
  double *next = (double *)(bytes_of(y[2 * i]) + 8);
  Vec v = {x[i], 1.5};
  double *numbers = numbers_of(v);
  numbers[1] *= numbers[0];
  *next = x[i] * y[2 * i] + v.y;
}
