// Inline PTX as libraries have it: lane numbers and masks, loads and stores by way of a cache, approximate functions.

#define LOAD(to, from) asm volatile("ld.global.nc.L1::no_allocate.f32 %0, [%1];" : "=f"(to) : "l"(from))

__device__ unsigned lane() {
  unsigned r;
  asm("mov.u32 %0, %%laneid;" : "=r"(r));
  return r;
}

__device__ unsigned before() {
  unsigned r;
  asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(r)::"memory");
  return r;
}

__device__ __forceinline__ float approximate_tanh(float v) {
  float r;
  asm("tanh.approx.f32 %0, %1;" : "=f"(r) : "f"(v));
  return r;
}

__device__ __forceinline__ float approximate_exp(float v) {
  float r;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(v * 1.4426950408889634f));
  return r;
}

__global__ void activate(const float *x, float *y, int n) {
  int i = blockIdx.x * 32 + lane();
  if (i >= n) return;
  float v, w;
  LOAD(v, x + i);
  asm volatile("prefetch.global.L2 [%0];" ::"l"(x + i));
  asm("fma.rn.f32 %0, %1, %1, %2;\n\t"
      "mul.rn.f32 %0, %0, %0;"
      : "=f"(w)
      : "f"(v), "f"(approximate_tanh(v)));
  asm volatile("" : "+f"(w)::"memory");
  asm volatile("st.global.cs.f32 [%0], %1;" : : "l"(&y[i]), "f"(w * approximate_exp(-v)) : "memory");
}

// Fractions: 1 / (1 + exp(-x)), roots, and numbers in double.
__global__ void scale(const double *x, double *y, const int *ids) {
  int i = threadIdx.x, id, before_me = __popc(before());
  asm("ld.global.ca.s32 %0, [%1];" : "=r"(id) : "l"(ids + i));
  float half = (float)x[id], root, s, c, q;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(half) : "f"(1.0f + approximate_exp(-half)));
  asm("rsqrt.approx.f32 %0, %1;" : "=f"(root) : "f"(half));
  asm("sin.approx.f32 %0, %1;" : "=f"(s) : "f"(root));
  asm("lg2.approx.f32 %0, %1;" : "=f"(c) : "f"(root + s));
  asm("div.full.f32 %0, %1, %2;" : "=f"(q) : "f"(s + 2.0f), "f"(c + 3.0f));
  double sum;
  asm("fma.rn.f64 %0, %1, %2, %3;" : "=d"(sum) : "d"(x[i]), "d"((double)before_me), "d"((double)q));
  y[i] = sum * sum;
}

// In double, and from a type to another.
__global__ void in_double(const double *x, const float *w, double *y, int n) {
  int i = threadIdx.x;
  double a = x[i], of_w, of_n, low, high, part;
  float narrow, count;
  asm("cvt.f64.f32 %0, %1;" : "=d"(of_w) : "f"(w[i]));
  asm("cvt.rn.f64.s32 %0, %1;" : "=d"(of_n) : "r"(n - 40));
  asm("cvt.rn.f32.u32 %0, %1;" : "=f"(count) : "r"(i));
  asm("min.f64 %0, %1, %2;" : "=d"(low) : "d"(a), "d"(of_w));
  asm("max.f64 %0, %1, %2;" : "=d"(high) : "d"(a), "d"(of_w));
  asm("mul.rn.f64 %0, %1, %2;" : "=d"(part) : "d"(low), "d"(of_n));
  asm("abs.f64 %0, %1;" : "=d"(part) : "d"(part));
  asm("add.f64 %0, %0, %1;" : "+d"(part) : "d"(fabs(high) + 1.5));
  asm("rsqrt.approx.f64 %0, %1;" : "=d"(low) : "d"(part));
  asm("sqrt.rn.f64 %0, %1;" : "=d"(high) : "d"(part));
  asm("rcp.rn.f64 %0, %1;" : "=d"(part) : "d"(high + a * a));
  asm("cvt.rn.f32.f64 %0, %1;" : "=f"(narrow) : "d"(part * high));
  y[i] = low * part + narrow * (count + 1.0f);
}
