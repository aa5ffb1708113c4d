// Names of the user's that emitted code says too, of itself or of what it calls.
#include <cuda_runtime.h>

struct In {
  const double *x;
  double *y;
};
struct Rows {
  const double *from[2];
  double *to[2];
};

__global__ void scale(double *y, int n) {
  if (threadIdx.x < n) y[threadIdx.x] *= y[threadIdx.x];
}
__global__ void rows(double *to, const double *from, int n, int pitch) {
  const int i = threadIdx.x;
  if (i < n) to[i * pitch] = from[i] * from[i];
}
__global__ void apply(In in) { in.y[threadIdx.x] *= in.x[threadIdx.x] * in.y[threadIdx.x]; }
__global__ void cross(Rows r, int n) {
  const int i = threadIdx.x;
  if (i < n) r.to[1][i] = r.from[0][i] * r.from[1][i] * r.to[1][i];
}

// Variables in inner scopes are called as kernels are, as the class of an object, as what emitted code declares.
void in_scopes(double *p, int n) {
  {
    int scale = 2 * n;
    n = scale / 2;
  }
  for (int _program = 0; _program < 2; ++_program) {
    const int dim3 = n;
    scale<<<1, 32>>>(p, dim3);
  }
  scale<<<1, 32>>>(p, n);
}
double of_rows(const double *x, int n) {
  double *memory, *cladpy;
  size_t pitch;
  cudaMallocPitch(&memory, &pitch, sizeof(double), n);
  cudaMalloc(&cladpy, n * sizeof(double));
  cudaMemcpy(cladpy, x, n * sizeof(double), cudaMemcpyDefault);
  const int pitched = pitch / sizeof(double);
  rows<<<1, 32>>>(memory, cladpy, n, pitched);
  double std = 0;
  for (int i = 0; i < n; ++i) {
    double rows;
    cudaMemcpy(&rows, memory + i * pitched, sizeof rows, cudaMemcpyDefault);
    std += rows * (i + 1);
  }
  cudaFree(memory);
  cudaFree(cladpy);
  return std;
}
// Nothing is written through some of the pointers in an object.
void twice(const double *x, double *y) {
  In In = {x, y};
  apply<<<1, 4>>>(In);
  apply<<<1, 4>>>(In);
}
void of_arrays(const double *x, double *y, int n) {
  for (int step = 0; step < 3; ++step) cross<<<1, 32>>>(Rows{{x, x + n}, {nullptr, y}}, n);
}
// A class without a name is spelled by a variable. (nvcc cannot name it where it is a kernel's parameter.)
static const struct {
  double z = 2;
} unnamed_one;
double of_unnamed(decltype(unnamed_one) one, double x) { return x * one.z * x; }
