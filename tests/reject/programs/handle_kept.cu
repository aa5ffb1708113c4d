// run(x, y)
// CP0210
#include <cuda_runtime.h>
struct Context {
  cudaEvent_t done;
};
__global__ void square(const double *x, double *y) { y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]; }
void run(Context *context, const double *x, double *y) {
  cudaEventCreate(&context->done);
  if (context->done == nullptr) return;
  square<<<1, 32>>>(x, y);
}
