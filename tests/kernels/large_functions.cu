// Functions that are too large to be inlined for nothing, and what has them inlined all the same.
#include <cuda_fp16.h>

#define WAVE(s, c) (sin(s * s) * exp(-s) + cos(s) * tanh(s) * log(s * s + c) + sin(s + 1) * exp(-s * c))
#define WAVES(s, c) (WAVE(s, c) + cos(s * c) * tanh(s * 2) + exp(-s * s) * sin(s * c) * log(s * s + 2 + c))
#define MANY(s, c) (0.1 * (WAVES(s, c) + WAVES(s * 0.5, c) + WAVES(s * 0.3, c) + WAVES(s * 0.7, c) + WAVES(s * 0.2, c)))

// Steps of which the state is kept: there is no room for it below the kernel.
__device__ double stepped(double p, double q, const double *w, int n) {
  double s = p, u = q, v = 1;
  for (int k = 0; k < n; ++k) {
    const double a = s * u * w[k];
    u = sin(v * a) * MANY(u, w[k]) + 0.5;
    v = cos(u + s) + MANY(v, w[k]);
    s = 0.5 * a + u + MANY(s, 2);
  }
  return s + u * v;
}
// And one that asks which block it is, where blocks run several after the other.
__device__ double at_block(const double *x, double s) {
  const double a = MANY(s * x[blockIdx.x], s);
  return MANY(a, s) + MANY(a, 2) + MANY(s, 3);
}
__global__ void steps_and_blocks(const double *x, const double *w, double *y, int steps, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = stepped(x[i], x[i + 1], w, steps) + at_block(x, x[i]);
  y[i + n] = stepped(x[i + 1], x[i], w, steps + 1) + at_block(w, x[i + 1]);
}

// Halves of a class, whose adjoints are halves.
struct Weights {
  __half w[3];
  __half bias;
};
__device__ float waves_of(const __half *w, float c) {
  const float s = __half2float(w[0]) * __half2float(w[1]) * c, a = MANY(s, 2);
  return MANY(a, c) + MANY(a, 3);
}
__global__ void halves_of_classes(const Weights *given, const float *x, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = waves_of(given[i].w, x[i]);
  y[i + n] = waves_of(given[i].w + 1, x[i]);
}
