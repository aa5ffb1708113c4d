// Lambdas that kernels are given, whose classes have no names.
#include <math.h>

template <class F>
__global__ void each(F f, const double *x, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = f(x[i]);
}

template <int B, class F>
__global__ void __launch_bounds__(B) indices(F f, int n) {
  for (int i = blockIdx.x * B + threadIdx.x; i < n; i += gridDim.x * B) f(i);
}

template <class F>
void forall(int n, F f) {
  indices<32><<<2, 32>>>(f, n);
}

// What is squared first is needed again, so that the first launch is made again.
void launched(const double *x, double *y, double a, int n) {
  const double w[2] = {a * a, 0.5};
  constexpr int power = 2;
  auto f = [=] __device__(double v) { return a * v * v + w[0] * sin(w[1] * v); };
  each<<<2, 32>>>(f, x, y, n);
  each<<<2, 32>>>([=] __device__(double v) mutable -> double {
    v *= v;  // a copy
    return power * v + a;
  }, y, y, n);
  each<<<2, 32>>>([] __device__(double v) { return 0.5 * v * v; }, y, y, n);
}

void by_index(const double *x, double *y, double a, int n) {
  forall(n, [=] __device__(int i) { y[i] = a * x[i] * x[(i + 1) % n]; });
  forall(n, [=] __device__(auto i) {
    using real = double;
    real v = y[i];
    y[i] = v * v * cos(a);
  });
}

namespace physics {
__device__ double force(double r, double k) { return k * r * r * r; }
enum { ORDER = 3 };

namespace {
double unit = 0.25;
}

template <class T, int N>
void advance(const T *x, T *y, T dt, int n) {
  using vector = const T *;
  auto pull = [dt] __device__(T r) { return force(r, dt); };
  forall(n, [=, half = dt / 2] __device__(int i) {
    vector at = x;
    T v = N * pull(at[i]) + half * ORDER;
    y[i] += v;
  });
}

inline namespace now {
struct Solver {
  using real = double;
  double k;
  void run(const double *x, double *y, int n) const {
    const double k = this->k * unit;
    forall(n, [=] __device__(int i) {
      const real r = x[i] * k;
      y[i] = force(r, k) + r;
    });
  }
};
}  // namespace now
}  // namespace physics

void in_scopes(const double *x, double *y, double k, int n) {
  physics::Solver s{k};
  s.run(x, y, n);
  physics::advance<double, 2>(x, y, k, n);
}

template <class F, class G>
struct Composed {
  F f;
  G g;
  __device__ double operator()(double x) const { return f(g(x)); }
};

void composed(const double *x, double *y, double a, int n) {
  auto f = [=] __device__(double v) { return a * exp(v); };
  auto g = [=] __device__(double v) { return a * v * v; };
  Composed<decltype(f), decltype(g)> h{f, g};
  each<<<2, 32>>>(h, x, y, n);
}
