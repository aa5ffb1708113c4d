// Activations: a number at a time, or four, or two halves.
#include <cuda_fp16.h>
#include <math.h>

template <class F, class T>
__global__ void each(const T *x, T *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = F()(x[i]);
}

template <class F>
__global__ void stride(const float *__restrict__ x, float *__restrict__ y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = F()(x[i]);
}

template <class F>
__global__ void four(const float4 *x, float4 *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 4) return;
  float4 v = x[i];
  v.x = F()(v.x);
  v.y = F()(v.y);
  v.z = F()(v.z);
  v.w = F()(v.w);
  y[i] = v;
}

// Four floats of an array that is declared as one of floats.
template <class F>
__global__ void cast_to_four(const float *x, float *y, int n) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  if (i + 3 < n) {
    float4 v = *reinterpret_cast<const float4 *>(x + i);
    float4 r = make_float4(F()(v.x), F()(v.y), F()(v.z), F()(v.w));
    *reinterpret_cast<float4 *>(y + i) = r;
  }
}

template <class F>
__global__ void by_float(const __half *x, __half *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __float2half(F()(__half2float(x[i])));
}

template <class F>
__global__ void two(const __half2 *x, __half2 *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 2) {
    float2 v = __half22float2(x[i]);
    y[i] = __floats2half2_rn(F()(v.x), F()(v.y));
  }
}

struct ReluFmax { __device__ float operator()(float v) const { return fmaxf(v, 0.0f); } };
struct ReluFlipped { __device__ float operator()(float v) const { return fmaxf(0.0f, v); } };
struct ReluChosen { template <class T> __device__ T operator()(T v) const { return v > 0 ? v : T(0); } };
struct ReluIf {
  template <class T> __device__ T operator()(T v) const {
    if (v < T(0)) v = T(0);
    return v;
  }
};
struct ReluMax { __device__ double operator()(double v) const { return max(v, 0.0); } };
struct ReluMask { __device__ float operator()(float v) const { return v * (v > 0.0f); } };

__global__ void relu_hmax(const __half *x, __half *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __hmax(x[i], __float2half(0.0f));
}
__global__ void relu_hmax2(const __half2 *x, __half2 *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 2) y[i] = __hmax2(x[i], __float2half2_rn(0.0f));
}

struct Relu6 { __device__ float operator()(float v) const { return fminf(fmaxf(v, 0.0f), 6.0f); } };
struct Relu6Chosen { __device__ double operator()(double v) const { return v < 0 ? 0 : v > 6 ? 6 : v; } };

struct Leaky { __device__ float operator()(float v) const { return v > 0.0f ? v : 0.01f * v; } };
struct LeakyMax { __device__ float operator()(float v) const { return fmaxf(v, 0.01f * v); } };
struct LeakySum { __device__ double operator()(double v) const { return fmax(v, 0.0) + 0.01 * fmin(v, 0.0); } };

struct Elu { __device__ float operator()(float v) const { return v > 0.0f ? v : expm1f(v); } };
struct EluSum { __device__ float operator()(float v) const { return fmaxf(0.0f, v) + fminf(0.0f, expf(v) - 1.0f); } };
struct EluIf {
  __device__ double operator()(double v) const {
    if (v <= 0) return exp(v) - 1;
    return v;
  }
};
struct Celu { __device__ float operator()(float v) const { return fmaxf(v, 0.0f) + fminf(0.0f, 2.0f * (expf(v / 2.0f) - 1.0f)); } };
struct CeluChosen { __device__ double operator()(double v) const { return v >= 0 ? v : 2 * expm1(v / 2); } };
struct Selu {
  __device__ float operator()(float v) const {
    const float alpha = 1.6732632423543772f, scale = 1.0507009873554805f;
    return scale * (v > 0.0f ? v : alpha * (expf(v) - 1.0f));
  }
};
struct SeluSum {
  __device__ double operator()(double v) const {
    return 1.0507009873554804934 * (fmax(v, 0.0) + fmin(1.6732632423543772848 * expm1(v), 0.0));
  }
};

struct Gelu { __device__ float operator()(float v) const { return 0.5f * v * (1.0f + erff(v * 0.70710678f)); } };
struct GeluCdf { __device__ double operator()(double v) const { return v * normcdf(v); } };
struct GeluTanh {
  __device__ float operator()(float v) const {
    float inner = 0.7978845608f * (v + 0.044715f * v * v * v);
    return 0.5f * v * (1.0f + tanhf(inner));
  }
};

struct Sigmoid { __device__ float operator()(float v) const { return 1.0f / (1.0f + expf(-v)); } };
struct SigmoidStable {
  __device__ double operator()(double v) const {
    if (v >= 0) return 1 / (1 + exp(-v));
    double e = exp(v);
    return e / (1 + e);
  }
};
struct SigmoidFolded {
  __device__ float operator()(float v) const {
    float e = expf(-fabsf(v));
    return (v >= 0.0f ? 1.0f : e) / (1.0f + e);
  }
};
struct Silu { __device__ float operator()(float v) const { return v / (1.0f + __expf(-v)); } };
struct Mish { __device__ float operator()(float v) const { return v * tanhf(log1pf(expf(v))); } };
struct MishStable { __device__ float operator()(float v) const { return v * tanhf(fmaxf(v, 0.0f) + log1pf(expf(-fabsf(v)))); } };

struct Softplus { __device__ double operator()(double v) const { return fmax(v, 0.0) + log1p(exp(-fabs(v))); } };
struct SoftplusFloat { __device__ float operator()(float v) const { return fmaxf(v, 0.0f) + log1pf(__expf(-fabsf(v))); } };
struct SoftplusLimit { __device__ float operator()(float v) const { return v > 20.0f ? v : log1pf(expf(v)); } };
struct SoftplusChosen { __device__ float operator()(float v) const { return (v > 0 ? v : 0) + logf(1 + expf(v > 0 ? -v : v)); } };
struct LogSigmoid { __device__ float operator()(float v) const { return fminf(v, 0.0f) - log1pf(expf(-fabsf(v))); } };
struct LogSigmoidDouble { __device__ double operator()(double v) const { return -(fmax(-v, 0.0) + log(1 + exp(-fabs(v)))); } };

struct Hardtanh { __device__ float operator()(float v) const { return fmaxf(-1.0f, fminf(v, 1.0f)); } };
struct HardtanhIf {
  __device__ double operator()(double v) const {
    if (v > 1) return 1;
    if (v < -1) return -1;
    return v;
  }
};
struct Hardswish { __device__ float operator()(float v) const { return v * fminf(fmaxf(v + 3.0f, 0.0f), 6.0f) / 6.0f; } };
struct HardswishIf {
  __device__ double operator()(double v) const { return v <= -3 ? 0 : v >= 3 ? v : v * (v + 3) / 6; }
};
struct Hardsigmoid { __device__ float operator()(float v) const { return fminf(fmaxf(v + 3.0f, 0.0f), 6.0f) / 6.0f; } };
struct HardsigmoidSaturated { __device__ float operator()(float v) const { return __saturatef((v + 3.0f) / 6.0f); } };

struct Softshrink { __device__ float operator()(float v) const { return v > 0.5f ? v - 0.5f : v < -0.5f ? v + 0.5f : 0.0f; } };
struct SoftshrinkSum { __device__ float operator()(float v) const { return fmaxf(v - 0.5f, 0.0f) + fminf(v + 0.5f, 0.0f); } };
struct SoftshrinkSign { __device__ double operator()(double v) const { return copysign(fmax(fabs(v) - 0.5, 0.0), v); } };
struct Hardshrink { __device__ float operator()(float v) const { return fabsf(v) > 0.5f ? v : 0.0f; } };
struct Tanhshrink { __device__ float operator()(float v) const { return v - tanhf(v); } };
struct Softsign { __device__ float operator()(float v) const { return v / (1.0f + fabsf(v)); } };
struct SoftsignChosen { __device__ double operator()(double v) const { return v / (1 + (v < 0 ? -v : v)); } };
struct Threshold { __device__ float operator()(float v) const { return v > 0.5f ? v : -2.0f; } };
struct Absolute { __device__ float operator()(float v) const { return fabsf(v); } };
struct AbsoluteMax { __device__ float operator()(float v) const { return fmaxf(v, -v); } };
struct AbsoluteChosen { __device__ double operator()(double v) const { return v < 0 ? -v : v; } };
struct SquaredRelu {
  __device__ float operator()(float v) const {
    float r = fmaxf(v, 0.0f);
    return r * r;
  }
};

// A weight for each channel.
__global__ void prelu(const float *x, const float *w, float *y, int rows, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows * n) y[i] = x[i] > 0.0f ? x[i] : w[i % n] * x[i];
}
__global__ void prelu_sum(const double *x, const double *w, double *y, int rows, int n) {
  int row = blockIdx.x, c = threadIdx.x;
  if (c >= n) return;
  double v = x[row * n + c];
  y[row * n + c] = fmax(v, 0.0) + w[c] * fmin(v, 0.0);
}

// The first half of each row, gated by the second.
__global__ void glu(const float *x, float *y, int rows, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, half = n / 2;
  if (i >= rows * half) return;
  int row = i / half, c = i % half;
  float a = x[row * n + c], gate = x[row * n + half + c];
  y[i] = a / (1.0f + expf(-gate));
}
__global__ void reglu(const float *x, float *y, int rows, int n) {
  int row = blockIdx.x, half = n / 2;
  for (int c = threadIdx.x; c < half; c += blockDim.x) y[row * half + c] = x[row * n + c] * fmaxf(x[row * n + half + c], 0.0f);
}
__global__ void swiglu(const __half2 *x, __half2 *y, int rows, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, pairs = n / 4;
  if (i >= rows * pairs) return;
  float2 a = __half22float2(x[i / pairs * (n / 2) + i % pairs]);
  float2 b = __half22float2(x[i / pairs * (n / 2) + pairs + i % pairs]);
  y[i] = __floats2half2_rn(a.x / (1.0f + __expf(-a.x)) * b.x, a.y / (1.0f + __expf(-a.y)) * b.y);
}
// The largest of pairs of channels.
__global__ void maxout(const float *x, float *y, int rows, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows * n / 2) y[i] = fmaxf(x[2 * i], x[2 * i + 1]);
}
