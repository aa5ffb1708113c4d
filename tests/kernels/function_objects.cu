// Lambdas, functors and function objects passed to device functions; classes of the libraries.
#include <array>
#include <complex>
#include <tuple>
#include <utility>

template <class F>
__device__ double twice(F f, double x) {
  return f(f(x));
}

template <class F>
__device__ void for_each(double *a, int n, F f) {
  for (int i = 0; i < n; ++i) f(a[i], i);
}

struct Affine {
  double slope, offset;
  __device__ double operator()(double x) const { return slope * x + offset; }
};

struct Square {
  __device__ double operator()(double x) const { return x * x; }
};

template <class Op>
__global__ void mapped(const double *x, double *y, int n, Op op) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = op(x[i]) * x[i];
}

__global__ void captures(const double *x, double *y, double w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = 0.5;
  auto by_value = [=](double v) { return v * w + s; };
  auto by_reference = [&](double v) {
    s += v * v;
    return s * x[i];
  };
  s = by_reference(x[i]);
  double t = by_value(s);
  auto counter = [k = x[i]](double v) mutable {
    k *= 1.5;
    return k * v;
  };
  double u = counter(t);
  u += counter(t);
  y[i] = twice([&](double v) { return sin(v) * s; }, u) + t;
}

__global__ void functors(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Affine f{x[i], 0.25};
  double a[4] = {x[i], 0.5, 0.75, x[i] * x[i]};
  for_each(a, 4, [f](double &v, int k) { v = f(v) * (k + 1); });
  auto generic = [](auto p, auto q) { return p * q; };
  double s = 0;
  for (double v : a) s += generic(v, 0.5);
  for (double &v : a) v *= s;
  y[i] = twice(f, a[1]) + twice(Square(), a[2]) + a[3];
}

template <class... Ts>
__device__ double sum(Ts... values) {
  return (0.0 + ... + values);
}

template <int N>
__device__ double power(double x) {
  if constexpr (N == 0) {
    return 1.0;
  } else {
    return x * power<N - 1>(x);
  }
}

__global__ void packs(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = sum(x[i], x[i] * x[i], 2.0f, 1) * power<3>(x[i]);
}

__global__ void library_classes(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  std::array<double, 3> a{x[i], 2.0 * x[i], 0.5};
  std::pair<double, int> p{a[1] * a[0], i % 3};
  p.first += a[p.second];
  auto [first, second] = p;
  std::tuple<double, double> t(first, a[2]);
  std::get<1>(t) *= std::get<0>(t);
  double s = 0;
  for (double v : a) s += v * v;
  y[i] = s * std::get<1>(t) + second * x[i];
}

// nvcc has no std::complex for kernels: most of it is not constexpr in C++17.
double complex_numbers(double x, double w) {
  std::complex<double> z(x, 0.3), c(w, x);
  for (int k = 0; k < 3; ++k) z = z * z + c;
  z *= std::complex<double>(1.5, w) - std::conj(z);
  return z.real() * z.imag() + std::norm(z);
}
