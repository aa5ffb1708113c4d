// Functions that are given functions, as pointers and as references; each is made for what it is given.

typedef double (*Function)(double);

__device__ double square(double x) { return x * x; }
__device__ double cube(double x) { return x * x * x; }
__device__ double product(double x, double y) { return x * y; }
template <class T>
__device__ T halved(T x) { return x / 2; }

__device__ double once(double (*f)(double), double x) { return f(x) + 1; }
__device__ double twice(Function f, double x) { return f(once(f, x)); }
__device__ double joined(double (&f)(double, double), const Function g, double x, double y = 0.5) { return f(g(x), y); }
template <class F>
__device__ double folded(F f, const double *x, int n) {
  double sum = 1;
  for (int i = 0; i < n; ++i) sum = f(sum, x[i]) + x[i];
  return sum;
}
__device__ double levels(Function f, double x, int n);
__device__ double leveled(double x, int n) { return n == 0 ? x : levels(square, x * 0.9, n) * 0.5; }
__device__ double levels(Function f, double x, int n) { return f(leveled(x, n - 1)) + x; }

// As vectors of libraries have it.
template <class T>
struct Each {
  static __device__ void call(T (*f)(T), const T *x, T *y) {
    for (int i = 0; i < 3; ++i) y[i] = f(x[i]);
  }
  T bias;
  __device__ T plus(T (*f)(T), T x) const { return (*f)(x) + bias; }
};

__global__ void pointers(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = once(square, x[i]) * once(&cube, x[i]) + twice(sin, x[i]) + twice(halved<double>, x[i]) * x[i];
  y[i] += joined(product, cube, x[i]) + joined(product, exp, x[i], x[0]) + folded(product, x, 3) * x[i];
}

__global__ void in_classes(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double v[3] = {x[i], x[(i + 1) % n], 2.0}, w[3];
  Each<double>::call(tanh, v, w);
  const Each<double> each{x[0]};
  y[i] = w[0] * w[1] + w[2] * each.plus(square, x[i]) + each.plus(cos, w[1]);
}

__global__ void in_recursions(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = leveled(x[i], 3);
}

// Statements as expressions in a recursion, whose values are needed again.
__device__ double narrowed(double x, int n) {
  return n == 0 ? x : ({ double t = narrowed(x * 0.5, n - 1); t * t + x; }) * ({ double t = x; sin(t) * t; });
}

__global__ void statements_in_recursions(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = narrowed(x[i], 3) * ({ double t = 3.0; t * t; });
}

struct Numbers {
  double a[4];
  float b;
};

// Copies byte by byte of what has one type.
__global__ void copied_bytes(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (4 * i + 3 >= n) return;
  double own[4];
  memcpy(own, x + 4 * i, sizeof own);
  Numbers one{}, other{};
  memcpy(one.a, own, 4 * sizeof(double));
  one.b = own[0] * own[3];
  memcpy(&other, &one, sizeof(Numbers));
  one.a[2] = 0;
  memcpy(y + 4 * i, other.a, 3 * sizeof(double));
  y[4 * i + 3] = own[0] * other.a[2] * one.a[1] + other.b;
}
