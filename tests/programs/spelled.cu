// Launches as they may be spelled: the configuration or its brackets in a macro, the kernel in parentheses. Those through
// pointers have no gradient, and must not be in the way of the others.
#include <cuda_runtime.h>

#define CONFIG(n) (n) / 2, 2
#define WHOLE <<<1, 32>>>
#define ARGS2(grid, block) <<<grid, block>>>
#define launch )
#define host (
#define ON(grid, block) grid, block, 0, 0

__global__ void scaled(const double *x, double *y, double a) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] += a * x[i] * x[i];
}
template <class T>
__global__ void doubled(T *y, int n) {
  const int i = threadIdx.x;
  if (i < n) y[i] *= y[i];
}
struct Kernels {
  void (*f)(const double *, double *, double);
};

void by_macro(const double *x, double *y, double a) {
  scaled<<<CONFIG(4)>>>(x, y, a);
  scaled<<<ON(2, 2)>>>(x, y,  // the numbers
                       a * a  // twice
  );
  (doubled<double>)<<<1, 4>>>(y, 4);
}
void by_brackets(const double *x, double *y, double a, int n) {
  scaled ARGS2(1, n)(x, y, a);
  doubled<double> WHOLE(y, n);
  (scaled)ARGS2(dim3(n / 2), 2)(x, y, a);
}
void by_pointers(const double *x, double *y, Kernels *k, int which) {
  void (*table[2])(const double *, double *, double) = {scaled, k->f};
  k->f<<<1, 4>>>(x, y, 1.0);
  (*k).f<<<1, 4, 0, nullptr>>>(x, y, 1.0);
  table[which]<<<CONFIG(4)>>>(x, y, 1.0);
  (which ? table[0] : scaled)<<<1, 4>>>(x, y, 2.0);
}
