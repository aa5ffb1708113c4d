// Classes as ray tracers, solvers and libraries write them.
#include <math.h>

struct Vec3 {
  double x, y, z;
  __host__ __device__ Vec3() : x(0), y(0), z(0) {}
  __host__ __device__ Vec3(double a, double b, double c) : x(a), y(b), z(c) {}
  __host__ __device__ explicit Vec3(double a) : Vec3(a, a, a) {}
  __host__ __device__ Vec3 operator-() const { return Vec3(-x, -y, -z); }
  __host__ __device__ double operator[](int i) const { return i == 0 ? x : (i == 1 ? y : z); }
  __host__ __device__ double &operator[](int i) { if (i == 0) return x; if (i == 1) return y; return z; }
  __host__ __device__ Vec3 &operator+=(const Vec3 &v) { x += v.x; y += v.y; z += v.z; return *this; }
  __host__ __device__ Vec3 &operator*=(double t) { x *= t; y *= t; z *= t; return *this; }
  __host__ __device__ Vec3 &operator/=(double t) { return *this *= 1 / t; }
  __host__ __device__ double length_squared() const { return x * x + y * y + z * z; }
  __host__ __device__ double length() const { return sqrt(length_squared()); }
};
typedef Vec3 Point;
using Color = Vec3;
__host__ __device__ inline Vec3 operator+(const Vec3 &a, const Vec3 &b) { return Vec3(a.x + b.x, a.y + b.y, a.z + b.z); }
__host__ __device__ inline Vec3 operator-(const Vec3 &a, const Vec3 &b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
__host__ __device__ inline Vec3 operator*(double t, const Vec3 &a) { return Vec3(a.x * t, a.y * t, a.z * t); }
__host__ __device__ inline Vec3 operator*(const Vec3 &a, double t) { return t * a; }
__host__ __device__ inline Vec3 operator/(Vec3 a, double t) { return a /= t; }
__host__ __device__ inline double dot(const Vec3 &a, const Vec3 &b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__host__ __device__ inline Vec3 cross(const Vec3 &a, const Vec3 &b) {
  return Vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
__host__ __device__ inline Vec3 unit(Vec3 v) { return v / v.length(); }

class Ray {
 public:
  __device__ Ray() {}
  __device__ Ray(const Point &o, const Vec3 &d, double t = 0.0) : orig(o), dir(d), tm(t) {}
  __device__ const Point &origin() const { return orig; }
  __device__ Vec3 direction() const { return dir; }
  __device__ Point at(double t) const { return orig + t * dir; }
 private:
  Point orig;
  Vec3 dir;
  double tm;
};
struct HitRecord {
  Point p;
  Vec3 normal;
  double t;
  bool front;
  __device__ inline void set_face(const Ray &r, const Vec3 &out) {
    front = dot(r.direction(), out) < 0;
    normal = front ? out : -out;
  }
};
struct Material { Color albedo; double fuzz; };
struct Sphere {
  Point center;
  double radius;
  Material mat;
  __device__ bool hit(const Ray &r, double tmin, double tmax, HitRecord &rec) const {
    Vec3 oc = r.origin() - center;
    auto a = r.direction().length_squared();
    auto half_b = dot(oc, r.direction());
    auto c = oc.length_squared() - radius * radius;
    auto disc = half_b * half_b - a * c;
    if (disc < 0) return false;
    auto sq = sqrt(disc);
    auto root = (-half_b - sq) / a;
    if (root < tmin || tmax < root) {
      root = (-half_b + sq) / a;
      if (root < tmin || tmax < root) return false;
    }
    rec.t = root;
    rec.p = r.at(rec.t);
    Vec3 out = (rec.p - center) / radius;
    rec.set_face(r, out);
    return true;
  }
};
__device__ Color shade(const Ray &r, const Sphere *spheres, int n) {
  Ray cur = r;
  Color atten(1.0, 1.0, 1.0);
  for (int depth = 0; depth < 3; depth++) {
    HitRecord rec;
    bool any = false;
    double closest = 1e30;
    int which = 0;
    HitRecord temp;
    for (int i = 0; i < n; i++) {
      if (spheres[i].hit(cur, 0.001, closest, temp)) {
        any = true;
        closest = temp.t;
        rec = temp;
        which = i;
      }
    }
    if (!any) {
      Vec3 u = unit(cur.direction());
      double t = 0.5 * (u.y + 1.0);
      Color c = (1.0 - t) * Color(1.0, 1.0, 1.0) + t * Color(0.5, 0.7, 1.0);
      return Color(atten.x * c.x, atten.y * c.y, atten.z * c.z);
    }
    const Material &m = spheres[which].mat;
    Vec3 refl = cur.direction() - 2 * dot(cur.direction(), rec.normal) * rec.normal;
    cur = Ray(rec.p, refl + m.fuzz * rec.normal);
    atten = Vec3(atten.x * m.albedo.x, atten.y * m.albedo.y, atten.z * m.albedo.z);
  }
  return Color(0, 0, 0);
}
__global__ void trace(const Sphere *s, const Vec3 *eye, Vec3 *image, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Ray r(eye[i], unit(Vec3(0.1 * i, 0.3, -1.0)));
  image[i] = shade(r, s, 4);
}
__global__ void indexed_components(Vec3 *v, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Vec3 a = v[i];
  for (int k = 0; k < 3; ++k) a[k] *= a[(k + 1) % 3];
  a[i % 3] += sin(a[(i + 1) % 3]);
  const Vec3 &c = a;
  v[i][1] = c[0] * c[2];
  v[i][i % 3] *= 2;
  y[i] = a[0] * c[1] - a[2] + v[i].length();
}
__global__ void chained(Vec3 *a, Vec3 *b, Vec3 *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  a[i] = b[i] = c[i] * 2.0;
  (a[i] += b[i]) *= a[i].x;
  Vec3 t;
  Vec3 &r = (t = a[i]) += c[i];
  r.x = r.y * t.z;
  c[i] = cross(t, r += b[i]);
}
__global__ void ternaries(const Vec3 *a, Vec3 *b, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Vec3 p = a[i].x > 0.5 ? a[i] : b[i];
  Vec3 q = a[i].y > 0.5 ? unit(p) : Vec3(p.y);
  (p.x > q.x ? p : q).z *= 3.0;
  (i % 2 ? b[i] : b[(i)]).x = q.z * p.z;
  const Vec3 &m = p.z < q.z ? p : q;
  Vec3 *w = i % 3 ? &p : &q;
  *w = m * 2.0 + *w;
  y[i] = dot(p, q) + (i & 1 ? p : q).y;
}

// Names that are hidden, ambiguous or private.
struct B1 {
  double a, b;
};
struct D1 : B1 {
  double a;
};
struct L {
  double v;
};
struct R {
  double v;
};
struct Both : L, R {
  double w;
};

__global__ void hidden(D1 *d, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  d[i].a *= 2;
  d[i].B1::a = d[i].a * d[i].b;
  y[i] = d[i].a * d[i].B1::a;
}

__global__ void ambiguous_value(Both d, D1 e, const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = x[i] * d.L::v + d.R::v * d.w + e.a * e.B1::a;
}

class Matrix {
  double *m_data;
  int m_rows, m_cols;

 public:
  __host__ __device__ int rows() const { return m_rows; }
  __host__ __device__ double &operator()(int i, int j) { return m_data[i * m_cols + j]; }
  __host__ __device__ double operator()(int i, int j) const { return m_data[i * m_cols + j]; }
};

__global__ void gemv(const Matrix A, const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= A.rows()) return;
  double s = 0;
  for (int j = 0; j < 3; ++j) s += A(i, j) * x[j];
  y[i] = s;
}

class Cplx {
  double re, im;
  double hist[3];

 protected:
  struct Inner {
    double q;
    double r[2];
  } inner;

 public:
  __device__ Cplx(double a = 0, double b = 0) : re(a), im(b), hist{1, 2, 3}, inner{1, {2, 3}} {}
  __device__ double real() const { return re; }
  __device__ double &h(int i) { return hist[i]; }
  __device__ double h(int i) const { return hist[i]; }
  __device__ double in(int k) const { return inner.q * inner.r[k]; }
  __device__ void grow(double x) {
    inner.q *= x;
    inner.r[1] += x;
  }
  __device__ friend Cplx operator*(const Cplx &a, const Cplx &b) {
    Cplx r(a.re * b.re - a.im * b.im, a.re * b.im + b.re * a.im);
    r.hist[1] = a.hist[2];
    return r;
  }
};

__global__ void privates(const Cplx *a, Cplx *b, Cplx c, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Cplx t = a[i] * b[i] * c;
  b[i].h(i % 3) *= t.real();
  b[i].grow(t.h(1));
  b[i] = b[i] * t;
  y[i] = b[i].real() + a[i].in(1) + c.h(i % 3) * c.in(i & 1) + t.h(1);
}

class Hidden : Cplx {
  double z;

 public:
  __device__ double all() const { return z * real() * h(1); }
  __device__ void set(double v) {
    z = v * h(2);
    h(0) = v;
  }
};

__global__ void private_base(Hidden *a, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  a[i].set(y[i]);
  y[i] = a[i].all();
}

struct Packed {
  unsigned low : 4, high : 12;
  float v;
};

__global__ void bit_fields_in_memory(const Packed *b, Packed one, float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Packed c = b[i];
  x[i] = c.v * b[i].low + (b[i].high & 3) * c.v * x[i] + one.v * one.low;
}

template <int DIM, typename T>
class Tensor {
  T *__restrict__ data;
  int stride[DIM];

 public:
  template <class... I>
  __device__ T &operator()(I... idx) const {
    int id[DIM] = {idx...};
    long off = 0;
    for (int d = 0; d < DIM; ++d) off += (long)id[d] * stride[d];
    return data[off];
  }
};
__global__ void tensor(Tensor<2, double> t, Tensor<1, const double> u, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 5) return;
  for (int j = 0; j < 3; ++j) t(i, j) *= u(j) + y[i];
  y[i] = t(i, 1) * t(i, 2);
}

struct V2 {
  double x, y;
};

__global__ void pointer_branches(V2 *a, V2 *b, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  V2 l[2] = {a[i], b[i]}, one = a[i]; one.x += 0.1;
  V2 *p = l;
  for (int k = 0; k < 4; ++k) {
    if (p->x < 0.6) p = p == l ? l + 1 : &one;
    else if (k & 1) { p->x *= 0.5; p = l; }
    p->y += 0.1 * p->x;
  }
  double *q = p == &one ? &p->y : &l[1].x;
  *q *= *q + p->y;
  V2 *g = i % 2 ? a + i : b + i;
  *g = *p;
  g->x *= l[0].y;
  y[i] = l[0].x + l[0].y * l[1].x + l[1].y * one.x * one.y;
}

__global__ void swapped_rows(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double m[3][3], *r[3];
  for (int k = 0; k < 3; ++k) {
    r[k] = m[k];
    for (int j = 0; j < 3; ++j) m[k][j] = x[(i + 3 * k + j) % n] + (k == j);
  }
  double det = 1;
  for (int k = 0; k < 3; ++k) {
    int piv = k;
    for (int j = k + 1; j < 3; ++j) if (fabs(r[j][k]) > fabs(r[piv][k])) piv = j;
    if (piv != k) {
      double *t = r[k];
      r[k] = r[piv];
      r[piv] = t;
      det = -det;
    }
    det *= r[k][k];
    for (int j = k + 1; j < 3; ++j) {
      double f = r[j][k] / r[k][k];
      for (int c = k; c < 3; ++c) r[j][c] -= f * r[k][c];
    }
  }
  y[i] = det;
}
