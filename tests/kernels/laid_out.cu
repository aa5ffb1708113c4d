// Objects seen as numbers, and as others: what else lies in them, and before them.

struct Vec {
  double x, v[2];
};
struct Cell {
  Vec vec;
  double size;
};

// Positions that are found at run time, before and behind an object.
__global__ void around_an_object(const Vec *x, const Cell *cells, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 3 >= n) return;
  const double *numbers = (const double *)(x + 2 + i);
  double s = 0;
  for (int k = -4; k < 3; k++) s += numbers[k] * numbers[k] * (k + 5);
  Vec own = x[i];
  double *of_own = &own.x;
  of_own[i % 3] *= s;
  const double *of_part = (const double *)&cells[i].vec;
  y[i] = own.x * own.v[1] * numbers[2] + of_own[2] * of_part[i % 3] * of_part[1];
}

struct Packed {
  unsigned low : 4, high : 12;
  float v;
};

struct Mixed {
  double v;
  const double *p;
  double w;
};

__global__ void among_others(Mixed m, const Packed *b, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double *numbers = (const double *)&m;
  const float *of_packed = (const float *)&b[i];
  y[i] = numbers[0] * numbers[2] * m.p[i] + of_packed[1] * of_packed[1] * b[i].low;
}

union Either {
  double d;
  double e;
};
struct Holder {
  double a;
  Either u;
};

__global__ void unions_in_memory(const Holder *x, Holder *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Holder h = x[i];
  Either e = h.u;
  e.d *= x[i].u.e * x[i].a * x[i].u.d;
  if (x[n - 1 - i].a > 0.6) y[i].u = e;
  y[i].a = h.u.e * e.e;
}

struct Tables {
  double (*rows)[3];
  double (*blocks)[2][3];
};

__global__ void pointers_to_arrays(const Tables *t, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = t->rows[i % 4][2] * t->blocks[1][i % 2][1] + t->rows[1][i % 3];
}

// Pointers compared within arrays of arrays.
__global__ void ends_of_rows(const double (*x)[4], const Vec *v, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = 0;
  for (const double *p = x[i]; p != &x[i][4]; ++p) s += *p * *p;
  for (const double *p = v[i].v; p != v[i].v + 2; ++p) s *= *p;
  if (v[1].v == v[i].v) s *= 2;
  y[i] = s;
}

// Local objects whose numbers a function is given that calls itself.
struct Apart {
  double a;
  int k, l;
  double b;
};
__device__ double product(const double *p, int n) { return n ? p[n - 1] * product(p, n - 1) : 1; }
__device__ double around(const double *p, int n) { return n ? p[0] * around(p, n - 1) + p[2] : 1; }
__device__ void grow(double *p, int n) {
  if (n == 0) return;
  p[n - 1] *= p[0];
  grow(p, n - 1);
}

__global__ void passed_as_numbers(const Vec *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  struct {
    double a, b;
  } own = {x[i].x, x[i].v[0]};
  Apart apart{x[i].x, 1, 2, x[i].v[1]};
  grow(&own.a, 2);
  y[i] = product((const double *)&own, 2) + around(&apart.a, 2) * product(&own.b, 1) * product(&own.a + i % 2, 1);
}

// Objects seen as numbers, unions and bytes, compared with null; an index that goes on and back.
__global__ void may_be_null(const Cell *x, const Either *u, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double *numbers = (const double *)x;
  const double *members = &x[i].size;
  const Either *next = u + 1;
  double s = 0;
  if (numbers) s += numbers[i];
  if (members != nullptr) s += members[0];
  if (u) s += u[i].d * u[i].e;
  if (next) s += i + 1 < n ? next[i].e : 0;
  y[i] = s + *(numbers + i + 1 - 1) * (numbers + i + 1)[-1];
}

// Unions that are passed by value: the same numbers by several names, and one number as another.
template <class T> struct Triple {
  union {
    struct { T x, y, z; };
    struct { T r, g, b; };
  };
  __host__ __device__ T volume() const { return x * y * z; }
};
union Bits { float f; int i; };
struct Weights { double scale; Triple<float> by; union { float at[3]; float first; }; Bits last; };
__global__ void unions_by_value(const float *x, float *y, Triple<int> extent, Weights w) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= extent.volume()) return;
  w.by.g *= 2;
  w.at[i % extent.b] += w.by.y;
  y[i] = x[i] * w.at[i % 3] + (float)w.scale * w.by.b * x[i] * w.first + (w.last.i > 0 ? w.last.f * w.by.r : x[i]);
}
