// Functions that are arguments of templates, and functions behind references and pointers that never change.

namespace shapes {
__device__ double square(double x) { return x * x; }
}
__device__ double bent(double x) { return x > 0.7 ? x : 0.5 * x * x; }
__device__ float halved(float x) { return 0.5f * x * x; }
__device__ void grow(double &a, double by) { a *= 1 + by * a; }

template <double (*F)(double)>
__device__ double times(double x, int n) {
  return n > 0 ? times<F>(F(x), n - 1) : F(F(x));
}

template <double F(double)>
__device__ double summed(const double *x, int n) {
  double s = 0.1;
  for (int j = 0; j < n; ++j) s += F(x[j]) * s;
  return s;
}

template <double (&F)(double), int N>
__device__ void into(double x, double *y) {
  for (int j = 0; j < N; ++j) *y += F(x + j) * *y;
}

template <double (*F)(double), void (*G)(double &, double)>
struct Both {
  double scale;
  __device__ double operator()(double x) const {
    double a = scale;
    G(a, F(x));
    return a;
  }
};

__global__ void passed(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double v = times<shapes::square>(x[i], 1) * summed<bent>(x, i % 5) + summed<shapes::square>(x, 3);
  into<bent, 2>(x[i], &v);
  Both<shapes::square, grow> both = {x[i]};
  y[i] = v * both(0.3 * x[i]);
}

typedef double (*Function)(double);
constexpr Function chosen = bent;

__global__ void renamed(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  constexpr Function f = shapes::square;
  double (&g)(double) = bent;
  void (*const h)(double &, double) = &grow;
  auto &same = g;
  auto kept = shapes::square;
  double (*first)(double) = &bent, (*again)(double) = first;
  double v = f(x[i]) + (*f)(g(x[i])) * same(0.5) + kept(x[i]) * (*again)(x[i]);
  h(v, x[i]);
  y[i] = v + chosen(v);
}

template <float (*F)(float)>
__global__ void mapped(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = F(x[i]) * F(2.0f * x[i]);
}
template __global__ void mapped<halved>(const float *, float *, int);
