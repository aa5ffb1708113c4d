// Copies that are made in an expression and changed there, or looked at when what they were made of has changed.

struct Pair {
  double x, y;
  __device__ Pair &operator*=(double s) {
    x *= s;
    y *= s;
    return *this;
  }
  __device__ double taken() {
    x += 1;
    return x * y;
  }
};

// As vectors of libraries are.
template <class T>
struct Vec {
  T x, y;
  __device__ Vec(T a, T b) : x(a), y(b) {}
  constexpr Vec(Vec const &) = default;
  template <class U>
  __device__ constexpr Vec(Vec<U> const &v) : x(v.x), y(v.y) {}
  constexpr Vec &operator=(Vec const &) = default;
  template <class U>
  __device__ Vec &operator*=(U s) {
    return (*this = Vec(x * s, y * s));
  }
};
template <class T>
__device__ Vec<T> operator*(T s, Vec<T> const &v) {
  return Vec<T>(v) *= s;
}

struct Row {
  double a[3];
  __device__ Row &scaled(double s) {
    for (double &v : a) v *= s;
    return *this;
  }
  __device__ const double *begin() const { return a; }
  __device__ const double *end() const { return a + 3; }
  __device__ double *begin() { return a; }
  __device__ double *end() { return a + 3; }
};

struct Longer : Pair {
  double z;
};

__device__ Pair scaled(double s, const Pair &p) { return Pair(p) *= s; }
__device__ double later(const Pair &copy, Pair &p) {
  p.x *= 2;
  return copy.x * p.x * copy.y;
}
__device__ double later(const double &copy, double &v) {
  v *= 3;
  return copy * v;
}
__device__ double moved(Pair &&p) {
  p.x *= p.y;
  return p.x;
}
__device__ double moved(double &&v) {
  v *= v;
  return v;
}
__device__ Pair same(Pair p) { return p; }

__global__ void vectors(Vec<double> *v, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Vec<double> r = 2.0 * v[i];
  Vec<double> w = r;
  r *= v[i].x;
  y[i] = r.x * (v[i].x * v[i].y + 0.5) + (3.0 * w).y * w.y;
}

__global__ void of_objects(Pair *p, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Pair v = p[i], w = {v.y, v.x};
  double sum = scaled(3, v).x * v.x + Pair(v).taken() * v.x + static_cast<Pair>(v).taken();
  sum += ((Pair)w).taken() * w.x + Pair{w}.taken() * w.y + same(w).taken() * w.x;
  sum += (i % 2 ? v : Pair{1, 2}).taken() * v.x + (i % 3 ? Pair(v) : Pair(w)).taken() * w.x * v.x;
  sum += (sum *= 0.5, Pair(v)).taken() * v.x;
  sum += later(Pair(v), v);
  sum += later(v, v) * w.x;
  sum += moved(Pair(w)) * w.x;
  double last = moved(static_cast<Pair &&>(w));
  sum += last * w.x;
  p[i] = v;
  y[i] = sum;
}

__global__ void of_numbers(double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double a = x[i], b = a * 0.5;
  double sum = later(double(a), a);
  sum += later((double)b, b) * a;
  sum += later(static_cast<double>(b), b);
  sum += later(+a, a);
  sum += later(a, a) * 0.1;
  sum += moved(double(b)) * b;
  double last = moved(static_cast<double &&>(b));
  sum += last * b;
  y[i] = sum;
  sum = later(double(x[i]), x[i]);
  y[i] += sum * x[i];
}

// References that keep a copy.
__global__ void kept(Pair *p, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Pair v = p[i];
  const Pair &copy = Pair(v);
  Pair &&other = Pair(v);
  auto &&third = double(v.y);
  const double &fourth = double(v.x);
  v *= 2;
  other *= 3;
  third *= v.x;
  y[i] = copy.x * v.x * other.y + v.y * third * fourth;
}

// Arrays in them, and parts of them.
__global__ void parts(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Row row = {{x[i], 0.5, x[n - 1 - i]}};
  Longer longer = {{x[i], 2.0}, 0.5};
  double sum = Row(row).scaled(2).a[i % 3] * row.a[0];
  for (double &v : Row(row)) sum += (v *= row.a[0]) * sum;
  sum += Pair(longer).taken() * longer.x + Longer(longer).taken() * longer.x;
  auto changed = [row, longer]() mutable {
    double s = Row(row).scaled(3).a[0];
    s *= row.scaled(0.5).a[2];
    return s + longer.taken();
  };
  y[i] = sum * row.a[0] * row.a[2] + changed();
  y[i] += changed();
}

// Bases of them, which know what they are the base of.
template <class T> struct Curve {
  double gain;
  __device__ Curve(double gain) : gain(gain) {}
  __device__ const T &self() const { return static_cast<const T &>(*this); }
  __device__ double scaled(double x) const { return gain * self().at(x); }
};

struct Line : Curve<Line> {
  double slope;
  __device__ Line(double slope) : Curve<Line>(slope + 1), slope(slope) {}
  __device__ double at(double x) const { return slope * x; }
};

template <class T> struct Squared : Curve<Squared<T>> {
  T of;
  __device__ Squared(const T &of) : Curve<Squared<T>>(3), of(of) {}
  __device__ double at(double x) const { return of.at(x) * of.at(x); }
};

template <class T> __device__ Squared<T> squared(const Curve<T> &curve) { return {curve.self()}; }

template <class T> __device__ double taken(const Curve<T> &curve, double x) { return curve.scaled(x) * curve.self().at(2); }

__global__ void bases(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Curve<Line> &held = Line(x[n - 1 - i]);
  y[i] = taken(Line(x[i]), x[n - 1 - i]) + squared(squared(Line(x[i]))).scaled(x[i]) + held.scaled(x[i]);
}
