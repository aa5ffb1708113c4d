// Structs and classes: by value, by pointer, in arrays, with methods, constructors and operators.
#include <math.h>

struct Vec {
  double x, y, z;
};

struct Particle {
  Vec position;
  Vec velocity;
  double mass;
  int kind;
  double history[3];
};

struct Params {
  double stiffness;
  double damping;
  int steps;
  double weights[4];
};

struct View {
  const double *in;
  double *out;
  int n;
};

__global__ void fields(const Vec *v, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = v[i].x * v[i].y + sin(v[i].z);
}

__global__ void store_fields(const double *x, Vec *v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  v[i].x = x[i] * x[i];
  v[i].y += x[i];
  v[i].z = v[i].x * v[i].y;
}

__device__ Vec add(Vec a, const Vec &b) {
  Vec r = {a.x + b.x, a.y + b.y, a.z + b.z};
  return r;
}

__device__ double dot(const Vec &a, const Vec &b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

__device__ void scale(Vec *v, double by) {
  v->x *= by;
  v->y *= by;
  v->z *= by;
}

__global__ void passed_around(const Vec *a, Vec *b, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Vec s = add(a[i], b[i]);
  scale(&s, a[i].x);
  Vec t = s;
  t.y = dot(s, t);
  scale(&b[i], 2.0);
  b[i] = add(t, b[i]);
  y[i] = dot(t, add(s, a[i]));
}

__global__ void nested(Particle *p, const double *force, double dt, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Particle q = p[i];
  Vec *v = &q.velocity;
  v->x += force[i] / q.mass * dt;
  v->y -= sin(force[i]) * dt;
  q.position.x += v->x * dt;
  q.position.y += v->y * dt;
  for (int k = 0; k < 3; ++k) q.history[k] = q.history[k] * q.position.x + p[i].history[(k + q.kind) % 3];
  p[i] = q;
}

__global__ void by_value(Params params, const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = x[i];
  for (int k = 0; k < params.steps; ++k) s += params.weights[k % 4] * s - params.damping * s * s;
  params.stiffness *= 2;
  y[i] = params.stiffness * s;
}

__global__ void view_of_arrays(View view) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < view.n) view.out[i] = view.in[i] * view.in[(i + 1) % view.n];
}

__global__ void chosen_object(Vec *grid, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n - 1) return;
  const Vec *low, *high;
  if (grid[i].x < grid[i + 1].x) {
    low = &grid[i];
    high = low + 1;
  } else {
    low = &grid[i + 1];
    high = low - 1;
  }
  y[i] = low->y * high->z - high->x * low->x;
}

struct Complex {
  double re, im;
  __host__ __device__ Complex(double r = 0, double i = 0) : re(r), im(i) {}
  __host__ __device__ Complex operator*(const Complex &o) const {
    return Complex(re * o.re - im * o.im, re * o.im + im * o.re);
  }
  __host__ __device__ Complex &operator+=(const Complex &o) {
    re += o.re;
    im += o.im;
    return *this;
  }
  __host__ __device__ double norm() const { return re * re + im * im; }
  __host__ __device__ explicit operator double() const { return re; }
};
__host__ __device__ Complex operator+(Complex a, const Complex &b) { return a += b; }
__host__ __device__ Complex operator-(const Complex &a) { return Complex(-a.re, -a.im); }

__global__ void julia(const Complex *z0, Complex c, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Complex z = z0[i];
  int k = 0;
  while (k < 12 && z.norm() < 4.0) {
    z = z * z + c;
    ++k;
  }
  Complex w(0.25);
  w += -z * Complex(1, 0.5);
  y[i] = w.norm() + double(w) + (z + w).im;
}

template <class T, int N>
struct Array {
  T data[N];
  __device__ T &operator[](int i) { return data[i]; }
  __device__ const T &operator[](int i) const { return data[i]; }
  __device__ T sum() const {
    T s = 0;
    for (int i = 0; i < N; ++i) s += data[i];
    return s;
  }
};

struct Shape {
  double base = 1.5;
  __device__ Shape(double s) : size(s) {}
  __device__ double area() const { return base * size; }
  double size;
};

struct Scaled : Shape {
  double factor;
  static constexpr double offset = 0.125;
  __device__ Scaled(double s, double f) : Shape(s), factor(f * f) {}
  __device__ double area() const { return Shape::area() * factor + offset; }
};

__global__ void class_templates(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Array<double, 4> a = {x[i], 2.0 * x[i]};
  a[2] = a[0] * a[1];
  a[i % 4] += 1.0;
  for (int k = 1; k < 4; ++k) a[k] = a[k] * a[k - 1] + 0.5;
  const Array<double, 4> &b = a;
  Scaled s(a.sum(), b[3]);
  y[i] = s.area() + b[1];
}

__global__ void local_objects(const Vec *v, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Vec near[4];
  for (int k = 0; k < 4; ++k) {
    near[k] = v[(i + k) % n];
    near[k].z *= near[k].x;
  }
  Vec *best = &near[0];
  for (int k = 1; k < 4; ++k)
    if (near[k].x > best->x) best = &near[k];
  best->y *= 3.0;
  double s = 0;
  for (Vec *p = near; p != near + 4; ++p) s += p->y * p->z;
  y[i] = s * best->x;
}

__global__ void rows_of_pointers(double **rows, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double *row = rows[i % 3];
  y[i] = row[i] * rows[(i + 1) % 3][0];
}

// Vector types.
__global__ void vectors(const float4 *a, const double2 *b, float4 *c, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 v = a[i];
  v.x *= v.y;
  c[i] = make_float4(v.w, v.x * v.z, 1.0f, v.x);
  double2 d = b[i];
  int2 k = make_int2(i, 2);
  y[i] = d.x * d.y * k.y + c[i].y;
}

// The bits of an inactive number, through a union.
__global__ void bits_of_inactive(const double *x, const float *scale, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  union {
    float f;
    unsigned u;
  } both;
  both.f = scale[i];
  both.u &= 0x7fffffffu;
  float other = scale[i];
  int raw = __float_as_int(other);
  y[i] = x[i] * x[i] * both.f * (raw < 0 ? 2.0 : 1.0);
}

// Members that other code cannot name.
class Point {
 public:
  __device__ Point(double x, double y) : x_(x), y_(y) {}
  __device__ double norm2() const { return x_ * x_ + y_ * y_; }
  __device__ Point operator-(const Point &o) const { return Point(x_ - o.x_, y_ - o.y_); }
  __device__ double &operator[](int i) { return i ? y_ : x_; }

 private:
  double x_, y_;
};

class Body : Point {
 public:
  double mass;
  __device__ double pull(const Body &o) const {
    Point d = static_cast<const Point &>(*this) - o;
    return mass * o.mass * weights_[1] / (0.1 + d.norm2());
  }
  __device__ void shift(double by) {
    (*this)[0] += by * weights_[0];
    Point::operator[](1) *= by;
  }

 private:
  float weights_[2];
};

__global__ void private_members(Body *bodies, double *y, Point where, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = bodies[i].pull(bodies[(i + 1) % n]) * where.norm2();
}

__global__ void private_stores(Body *bodies, const double *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  bodies[i].shift(x[i]);
  bodies[i].mass *= bodies[i].pull(bodies[i]);
}

// The derived class is known to its base.
template <class D>
struct Shaped {
  double scale;
  __device__ double area() const { return scale * static_cast<const D &>(*this).unit(); }
  __device__ void grow(double by) { static_cast<D *>(this)->side *= by; }
};

struct Square : Shaped<Square> {
  double side;
  __device__ double unit() const { return side * side; }
};

__global__ void downcasts(Square *s, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Square local = s[i];
  local.grow(local.scale);
  s[i].grow(2.0);
  y[i] = local.area() + s[i].area();
}
