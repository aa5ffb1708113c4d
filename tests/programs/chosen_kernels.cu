// Kernels that are launched by pointers: chosen by conditions, lent to functions that launch, given by functions.
#include <cuda_runtime.h>

__global__ void squares(double *x, int n) {
  int i = threadIdx.x;
  if (i < n) x[i] *= x[i];
}
__global__ void sines(double *x, int n) {
  int i = threadIdx.x;
  if (i < n) x[i] = sin(x[i]);
}
template <int k> __global__ void scaled(double *x, int n) {
  int i = threadIdx.x;
  if (i < n) x[i] *= k;
}
typedef void (*Kernel)(double *, int);

static void launch(Kernel kernel, double *x, int n) {
  if (kernel == nullptr) return;
  kernel<<<1, 32>>>(x, n);
}
static Kernel picked(int which) {
  switch (which) {
    case 0: return squares;
    case 1: return &sines;
    default: return scaled<3>;
  }
}

void chosen(double *x, int n, int which) {
  void (*kernel)(double *, int) = which ? squares : sines;
  kernel<<<1, 32>>>(x, n);
  auto next = picked(which);
  for (int i = 0; i < 2; ++i) {
    next<<<1, 32>>>(x, n);
    if (which == 2) next = scaled<2>;
  }
  launch(which == 1 ? sines : nullptr, x, n);
  launch(squares, x, n);
}

void by_address(double *x, int n, int which) {
  Kernel kernel = which ? squares : sines, own = &sines;
  void *args[] = {&x, &n};
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 64);
  cudaLaunchKernel(kernel, dim3(1), dim3(32), args, 0, 0);
  cudaLaunchKernel(own, dim3(1), dim3(32), args, 0, 0);
}
