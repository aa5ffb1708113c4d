// square(x, y)
#include <vendor/transforms.h>

#ifdef VENDOR_SINGLE
typedef float real;
#else
typedef double real;
#endif

__global__ void square(const real *x, real *y) {
  y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x];
}
