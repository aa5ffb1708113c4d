// Thrust's complex numbers.
#include <thrust/complex.h>

using number = thrust::complex<double>;

__global__ void arithmetic(const thrust::complex<float> *x, const float *s, thrust::complex<float> *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  thrust::complex<float> z = x[i], sum = 2.0f * z;
  sum += z * z;
  sum -= 0.5f;
  sum *= thrust::conj(z) + s[i];
  sum /= z + 1.0f;
  y[i] = -sum + s[i] / z - thrust::complex<float>(s[i]) * x[(i + 1) % 64];
}

__global__ void parts(const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  number z(x[2 * i], x[2 * i + 1]), w = thrust::polar(x[2 * i], 3.0 * x[2 * i + 1]);
  if (z == w || z != z) z = number(1.0, 2.0);
  z.real(z.imag() * z.real());
  y[i] = thrust::abs(z) * thrust::arg(w) + thrust::norm(w) - (w / z).imag();
}

__global__ void functions(const number *x, number *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  number z = x[i];
  y[7 * i] = thrust::exp(z) * thrust::log(z) + thrust::log10(z);
  y[7 * i + 1] = thrust::sqrt(z - 1.0) * thrust::sqrt(-z);
  y[7 * i + 2] = thrust::pow(z, number(0.5, 1.5)) + thrust::pow(z, 3.0) + thrust::pow(2.0, z);
  y[7 * i + 3] = thrust::sin(z) + thrust::cos(z) * thrust::tan(z);
  y[7 * i + 4] = thrust::sinh(z) - thrust::cosh(z) / thrust::tanh(z);
  y[7 * i + 5] = thrust::asin(z) * thrust::acos(z) + thrust::atan(z);
  y[7 * i + 6] = thrust::asinh(z) * thrust::acosh(z) + thrust::atanh(z);
}

// z = z * z + c, until it leaves.
__global__ void escape(const double *c, double *y, int most) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  number z = 0.0, at(c[2 * i] - 0.8, c[2 * i + 1] - 0.5);
  for (int k = 0; k < most && thrust::norm(z) < 4.0; ++k) z = z * z + at;
  y[i] = thrust::norm(z);
}

// Numbers on the axes, where absolute values of parts have no derivative, and the functions have one.
__global__ void on_axes(const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  number real(x[2 * i], x[2 * i + 1]), imaginary(x[2 * i + 1], x[2 * i]);
  number s = thrust::sqrt(real) + thrust::atan(real) * thrust::asin(0.5 * real) + thrust::acos(0.5 * real);
  number t = thrust::sqrt(imaginary) + thrust::atanh(imaginary) * thrust::asinh(0.5 * imaginary);
  number u = thrust::log(real) * thrust::exp(imaginary) + real / imaginary + thrust::tan(real) * thrust::tanh(imaginary);
  y[6 * i] = s.real();
  y[6 * i + 1] = s.imag();
  y[6 * i + 2] = t.real();
  y[6 * i + 3] = t.imag();
  y[6 * i + 4] = u.real();
  y[6 * i + 5] = u.imag() + thrust::abs(real) * thrust::arg(imaginary);
}
