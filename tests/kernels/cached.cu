// Loads and stores that say what a cache is to do, CUDA's complex numbers, and what only advises the compiler.
#include <cuComplex.h>

__device__ __forceinline__ int thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void cached_numbers(const double *__restrict__ x, const float *__restrict__ f, const int *__restrict__ at,
                               double *__restrict__ y, float *__restrict__ z, int n) {
  int i = thread();
  if (i >= n) return;
  double v = __ldg(x + __ldg(&at[i])) * __ldca(&x[i]) + __ldcg(x + i) * __ldcs(x + i) - __ldlu(&x[i]) / __ldcv(x + i);
  __stcs(y + i, v * v);
  __stwt(&z[i], __ldg(&f[i]) * sinf(__ldcs(f + i)));
}

__global__ void cached_vectors(const float4 *x, const float2 *s, float4 *y, float2 *z, int n) {
  int i = thread();
  if (i >= n) return;
  float4 v = __ldg(x + i);
  const float2 w = __ldcs(&s[i]);
  v.x *= w.y;
  v.w += v.x * v.y;
  __stcg(&y[i], v);
  __stwb(z + i, make_float2(v.w * w.x, v.z));
}

__global__ void stored_in_between(double *x, const double *w, double *y, int n) {
  int i = thread();
  if (i >= n) return;
  double first = __ldcg(&x[i]);
  __stcg(&x[i], first * w[i]);
  y[i] = sin(__ldcg(&x[i])) * first;
}

__global__ void __launch_bounds__(128, 2) advised(const double *__restrict__ x, double *y, const __grid_constant__ int n) {
  int i = thread();
  if (i >= n) return;
  double s = 1.0;
#pragma unroll
  for (int k = 0; k < 4; ++k) s = s * x[i] + double(k);
#pragma unroll 2
  for (int k = 0; k < i % 3; ++k) s *= x[(i + k) % n];
#pragma nounroll
  for (int k = 0; k < 2; ++k) s += s * x[i];
  y[i] = s;
}
__global__ void complex_numbers(const cuDoubleComplex *a, const cuDoubleComplex *b, cuDoubleComplex *c, double *y, int n) {
  int i = thread();
  if (i >= n) return;
  cuDoubleComplex z = cuCadd(cuCmul(a[i], b[i]), cuConj(a[i]));
  z = cuCsub(cuCdiv(z, b[i]), make_cuDoubleComplex(cuCimag(a[i]), 0.5));
  c[i] = cuCfma(z, a[i], b[i]);
  y[i] = cuCabs(z) * cuCreal(z) + cuCabs(make_cuDoubleComplex(0.0, 0.0));
}

__global__ void complex_floats(const cuComplex *a, cuFloatComplex *c, cuDoubleComplex *d, float *y, int n) {
  int i = thread();
  if (i >= n) return;
  cuComplex z = cuCmulf(a[i], cuConjf(a[(i + 1) % n]));
  z = cuCdivf(cuCfmaf(z, z, a[i]), make_cuComplex(cuCrealf(z), 1.5f));
  c[i] = cuCsubf(cuCaddf(z, a[i]), z);
  d[i] = cuComplexFloatToDouble(cuComplexDoubleToFloat(cuCmul(cuComplexFloatToDouble(z), cuComplexFloatToDouble(a[i]))));
  y[i] = cuCabsf(z);
}

// Words that are loaded and stored as a whole, for whom and in which order said behind them.
__global__ void whole_words(const double *x, unsigned long long *most, int *marks, double *y, int n) {
  int i = thread();
  if (i >= n) return;
  unsigned long long seen = __nv_atomic_load_n(most, __NV_ATOMIC_RELAXED);
  while (1000.0 * i > __longlong_as_double(seen)) {
    unsigned long long before = seen;
    if ((seen = atomicCAS(most, before, __double_as_longlong(1000.0 * i))) == before) break;
  }
  __nv_atomic_store_n(marks + i, i % 3, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_BLOCK);
  y[i] = x[i] * x[i] * __nv_atomic_load_n(&marks[i], __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
}
