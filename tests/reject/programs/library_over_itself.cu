// run(x)
// CP0510
#include <cuda_runtime.h>
void scale(const double *x, double *y, int n);
namespace cladpy::custom_derivatives {
void scale_pullback(const double *x, double *, int n, double *d_x, double *d_y) { scale(d_y, d_x, n); }
}
void run(double *x, int n) {
  double *v;
  cudaMalloc(&v, n * sizeof(double));
  cudaMemcpy(v, x, n * sizeof(double), cudaMemcpyHostToDevice);
  scale(v, v, n);
  cudaMemcpy(x, v, n * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(v);
}
