// square(x, y)
#include <vendor/transforms.h>

vendor::plan plan;

__global__ void square(const double *x, double *y) {
  y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x];
}

void transform(double *y) { vendor::run(plan, y); }
