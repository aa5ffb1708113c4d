// Functions of one, two and three numbers.
#include <cuda_fp16.h>
#include <math.h>

template <class F, class T>
__global__ void one(const T *x, T *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = F()(x[i]);
}

template <class F, class T>
__global__ void two(const T *a, const T *b, T *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = F()(a[i], b[i]);
}

template <class F>
__global__ void two_by_four(const float4 *a, const float4 *b, float4 *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += blockDim.x * gridDim.x) {
    float4 u = a[i], v = b[i];
    y[i] = make_float4(F()(u.x, v.x), F()(u.y, v.y), F()(u.z, v.z), F()(u.w, v.w));
  }
}

struct Larger { __device__ float operator()(float a, float b) const { return fmaxf(a, b); } };
struct LargerChosen { template <class T> __device__ T operator()(T a, T b) const { return a > b ? a : b; } };
struct LargerIf {
  __device__ float operator()(float a, float b) const {
    float r = a;
    if (r < b) r = b;
    return r;
  }
};
struct LargerMean { __device__ double operator()(double a, double b) const { return (a + b + fabs(a - b)) / 2; } };
struct Smaller { __device__ float operator()(float a, float b) const { return fminf(a, b); } };
struct SmallerStd { __device__ double operator()(double a, double b) const { return min(a, b); } };
struct SmallerChosen { __device__ float operator()(float a, float b) const { return a < b ? a : b; } };

__global__ void larger_half(const __half *a, const __half *b, __half *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __hmax(a[i], b[i]);
}
__global__ void larger_half2(const __half2 *a, const __half2 *b, __half2 *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 2) y[i] = __hmax2(a[i], b[i]);
}
__global__ void smaller_half_chosen(const __half *a, const __half *b, __half *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a[i] < b[i] ? a[i] : b[i];
}

// The larger and the smaller of two, as a step of a sorting network: their sum is a + b.
struct Both { __device__ float operator()(float a, float b) const { return fmaxf(a, b) + fminf(a, b); } };
struct Product { __device__ double operator()(double a, double b) const { return fmax(a, b) * fmin(a, b); } };
struct Swapped {
  __device__ float operator()(float a, float b) const {
    if (a > b) {
      float t = a;
      a = b;
      b = t;
    }
    return 2.0f * a + 2.0f * b;
  }
};

struct LogAddExp { template <class T> __device__ T operator()(T a, T b) const { return fmax(a, b) + log1p(exp(-fabs(a - b))); } };
struct LogAddExpChosen {
  __device__ float operator()(float a, float b) const {
    float m = a > b ? a : b;
    return m + logf(expf(a - m) + expf(b - m));
  }
};
struct LogAddExpIf {
  __device__ float operator()(float a, float b) const {
    if (a < b) return b + log1pf(expf(a - b));
    return a + log1pf(expf(b - a));
  }
};
struct LogAddExp2 {
  __device__ float operator()(float a, float b) const {
    float m = fmaxf(a, b);
    return m + log2f(exp2f(a - m) + exp2f(b - m));
  }
};

struct Hypot { __device__ float operator()(float a, float b) const { return hypotf(a, b); } };
struct HypotSafe {
  __device__ double operator()(double a, double b) const {
    double large = fmax(fabs(a), fabs(b)), small = fmin(fabs(a), fabs(b));
    double ratio = large > 0 ? small / large : 0;
    return large * sqrt(1 + ratio * ratio);
  }
};
struct HypotRoot { __device__ float operator()(float a, float b) const { return sqrtf(a * a + b * b); } };
struct Angle { __device__ float operator()(float a, float b) const { return atan2f(a, b); } };
struct Power { __device__ float operator()(float a, float b) const { return powf(a, b); } };
struct PowerDouble { __device__ double operator()(double a, double b) const { return pow(a, b); } };
struct PowerGuarded { __device__ float operator()(float a, float b) const { return powf(fmaxf(a, 0.0f), b); } };
struct XLogY { __device__ float operator()(float a, float b) const { return b > 0.0f ? a * logf(b) : 0.0f; } };
struct CopySign { __device__ float operator()(float a, float b) const { return copysignf(a, b); } };
struct FloorMod { __device__ float operator()(float a, float b) const { return a - floorf(a / b) * b; } };
struct Fmod { __device__ double operator()(double a, double b) const { return fmod(a, b); } };
struct Fdim { __device__ float operator()(float a, float b) const { return fdimf(a, b); } };
struct FdimMax { __device__ double operator()(double a, double b) const { return fmax(a - b, 0.0); } };
struct Ratio { __device__ float operator()(float a, float b) const { return a / (fabsf(a) + fabsf(b) + 1.0f); } };
// A smooth union of distances.
struct SmoothUnion {
  __device__ float operator()(float a, float b) const {
    float h = fmaxf(0.25f - fabsf(a - b), 0.0f) / 0.25f;
    return fminf(a, b) - h * h * 0.25f * 0.25f;
  }
};

struct Clamp { __device__ float operator()(float v) const { return fminf(fmaxf(v, -0.5f), 1.0f); } };
struct ClampChosen { __device__ double operator()(double v) const { return v < -0.5 ? -0.5 : (v > 1.0 ? 1.0 : v); } };
struct ClampIf {
  __device__ float operator()(float v) const {
    if (v < -0.5f) v = -0.5f;
    if (v > 1.0f) v = 1.0f;
    return v;
  }
};
struct Saturate { __device__ float operator()(float v) const { return __saturatef(v); } };
struct SaturateMax { __device__ double operator()(double v) const { return max(0.0, min(1.0, v)); } };

struct RootOfClamp { __device__ float operator()(float v) const { return sqrtf(fmaxf(v, 0.0f)); } };
struct RootOfClampChosen { __device__ double operator()(double v) const { return sqrt(v > 0 ? v : 0); } };
struct RootWithFloor { __device__ float operator()(float v) const { return sqrtf(fmaxf(v, 1e-6f)); } };
struct Rsqrt { __device__ float operator()(float v) const { return rsqrtf(v * v + 0.25f); } };
struct RsqrtDouble { __device__ double operator()(double v) const { return rsqrt(v * v + 0.25); } };
struct Gamma { __device__ float operator()(float v) const { return powf(fmaxf(v, 0.0f), 1.0f / 2.2f); } };
struct Srgb {
  __device__ float operator()(float v) const {
    return v <= 0.0031308f ? 12.92f * v : 1.055f * powf(fmaxf(v, 0.0031308f), 1.0f / 2.4f) - 0.055f;
  }
};
struct SrgbIf {
  __device__ double operator()(double v) const {
    if (v > 0.0031308) return 1.055 * pow(v, 1 / 2.4) - 0.055;
    return 12.92 * v;
  }
};
struct ArcCosine { __device__ float operator()(float v) const { return acosf(fminf(fmaxf(v, -1.0f), 1.0f)); } };
struct ArcSine { __device__ double operator()(double v) const { return asin(fmax(-1.0, fmin(1.0, v))); } };
struct CubeRoot { __device__ float operator()(float v) const { return cbrtf(fmaxf(v, 0.0f)); } };
struct LogOfClamp { __device__ float operator()(float v) const { return logf(fmaxf(v, 0.125f)); } };
struct Square { __device__ float operator()(float v) const { return powf(v, 2.0f); } };
struct Cube { __device__ double operator()(double v) const { return pow(v, 3); } };
struct PowerOfZero { __device__ float operator()(float v) const { return powf(v, 0.0f); } };
struct Sinc { __device__ float operator()(float v) const { return v == 0.0f ? 1.0f : sinpif(v) / (3.14159265f * v); } };
struct Expm1 { __device__ float operator()(float v) const { return expm1f(v); } };
struct Log1p { __device__ double operator()(double v) const { return log1p(fmax(v, -0.5)); } };
struct Logit {
  __device__ float operator()(float v) const {
    v = fminf(fmaxf(v, 0.125f), 0.875f);
    return logf(v / (1.0f - v));
  }
};
struct LogCosh { __device__ double operator()(double v) const { return fabs(v) + log1p(exp(-2 * fabs(v))) - 0.693147180559945309417; } };
struct LogCoshMax { __device__ float operator()(float v) const { return fmaxf(v, -v) + log1pf(expf(-2.0f * fmaxf(v, -v))) - 0.69314718f; } };
struct Tanh { __device__ float operator()(float v) const { return tanhf(v); } };
struct Fraction { __device__ float operator()(float v) const { return v - truncf(v); } };
struct Step { __device__ float operator()(float v) const { return v * (v > 0.0f ? 1.0f : 0.0f) + floorf(v) + rintf(v); } };

__global__ void root_half(const __half *x, __half *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = hsqrt(__hmax(x[i], __float2half(0.0f)));
}
__global__ void clamp_half2(const __half2 *x, __half2 *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 2) y[i] = __hmin2(__hmax2(x[i], __float2half2_rn(-0.5f)), __float2half2_rn(1.0f));
}

__global__ void clamp_between(const float *x, const float *a, const float *b, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = fminf(fmaxf(x[i], a[i]), b[i]);
}
__global__ void lerp(const float *a, const float *b, const float *w, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = fmaf(w[i], b[i], fmaf(-w[i], a[i], a[i]));
}
__global__ void where(const int *mask, const float *a, const float *b, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = mask[i] ? a[i] : b[i];
}
// The square root where there is one: elsewhere what it would be is thrown away.
__global__ void where_root(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float root = sqrtf(x[i]);
  y[i] = x[i] > 0.25f ? root : 0.5f * x[i];
}
__global__ void where_quotient(const double *a, const double *b, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double quotient = a[i] / b[i];
  y[i] = b[i] != 0 ? quotient : a[i];
}
__global__ void masked_fill(const float *x, const int *mask, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = mask[i] ? -INFINITY : x[i];
}
__global__ void dropout(const float *x, const float *mask, float *y, float keep, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * mask[i] / keep;
}
__global__ void dropout_half2(const __half2 *x, const __half2 *mask, __half2 *y, float keep, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 2) y[i] = __hmul2(__hmul2(x[i], mask[i]), __float2half2_rn(1.0f / keep));
}
__global__ void addcdiv(const float *a, const float *b, const float *w, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a[i] + 0.5f * b[i] / w[i];
}
