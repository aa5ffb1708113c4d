// Conversions, implicit and explicit: the gradient must respect the primal's arithmetic.
__global__ void float_in_double(const float *a, const double *b, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float f = a[i] * a[i];
  double d = f * b[i];
  float g = (float)d + a[i];
  y[i] = d * g + 0.5f * f;
}

__global__ void float_only(const float *a, const float *b, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float t = a[i] / (b[i] + 1.0f);
  t = t * t + 3.0f * a[i];
  y[i] = t * b[i] - sqrtf(t);
}

__global__ void double_literals_in_float(const float *a, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = a[i] * 0.1 + 2 * a[i] * a[i];
  y[i] *= 1.5;
  y[i] += a[i] / 3;
}

__global__ void integers_in_double(const double *a, const int *k, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double t = a[i] * k[i];
  t += k[i] / 2;
  t /= k[i] + 1;
  y[i] = t * t;
}

__global__ void truncation(const double *a, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double t = a[i] * 10.0;
  int whole = (int)t;
  double rest = t - whole;
  unsigned char small = (unsigned char)(t * 3.0);
  y[i] = rest * rest * (double)(whole + 1) + a[i] * small;
}

__global__ void explicit_casts(const double *a, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float f = static_cast<float>(a[i]);
  double d = double(f) * a[i];
  short s = short(i * 3);
  long long big = (long long)s * 4000000000LL;
  y[i] = float(d) * f + (float)(big % 7) * f;
}

__global__ void compound_mixed(const double *a, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 1.0f;
  s += a[i];
  s *= a[i] * 0.7;
  s -= i % 3;
  int steps = 2;
  steps += a[i] * 3.0;
  for (int k = 0; k < steps; ++k) s = s * 0.5f + (float)a[i];
  y[i] = s;
}

__global__ void narrow_integers(const double *a, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned char c = (unsigned char)(i * 37);
  signed char d = (signed char)(c + 100);
  unsigned short e = (unsigned short)(c * d);
  unsigned u = 3u - (unsigned)(i & 7);
  y[i] = a[i] * (c + d) * 0.01 + a[i] * a[i] * (e % 5) + a[i] * (u / 1000000000u);
}

__global__ void bool_conversions(const double *a, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  bool odd = i & 1;
  bool set = a[i];
  y[i] = odd ? a[i] * a[i] : a[i] * 3.0;
  y[i] += set * a[i];
}

__global__ void mixed_ternary(const float *a, const double *b, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = (i % 2 ? a[i] * a[i] : b[i]) + (i % 3 ? 1 : b[i]) * a[i];
}

// Signs and exponents by their bits: steps, as floor() is.
__global__ void exponents(const float *x, const double *z, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned bits = __float_as_uint(x[i]);
  int exponent = (int)((bits & 0x7f800000u) >> 23) - 127, sign = bits >> 31;
  int above = ((__double2hiint(z[i]) + 0x80000) >> 20) & 0x7ff;  // to the nearest
  y[i] = x[i] * x[i] * (exponent + 0.5f) + (above - 1020) * (float)z[i] + sign * ((bits & 0x80000000u) ? 2 : x[i]);
}

// The logarithm of two by squares, as far as `digits` goes: only what is a step comes of the number.
__device__ float by_squares(float x, int digits) {
  union { float f; unsigned i; } u;
  u.f = x;
  int exponent = (int)((u.i & 0x7f800000) >> 23) - 127;
  float y = x / (1 << exponent), result = 0;
  for (int k = 1; k <= digits; ++k) {
    y *= y;
    if (y >= 2) {
      y /= 2;
      result += 1.f / (1 << k);
    }
  }
  return exponent + result + y * 0.125f;
}
__global__ void logarithms(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = by_squares(4 + x[i], 3) * x[i];
}
