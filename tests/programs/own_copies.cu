// Arrays in objects that are passed by value, which calls of the runtime and of the library write.
#include <cuda_runtime.h>

#include <cstring>

struct Series {
  double scale;
  double terms[3];
};

__global__ void twice(double *p) { p[threadIdx.x] *= 2.5 * p[threadIdx.x]; }

double copied_over(const double *in, Series own) {
  std::memcpy(own.terms, in, 2 * sizeof(double));
  return own.terms[0] * own.terms[1] * own.terms[2] * own.scale;
}
double set_over(const double *in, Series own) {
  std::memset(own.terms, 0, sizeof(double));
  return in[0] * own.terms[1] + own.terms[0] * own.terms[2];
}
double back_and_forth(const double *in, Series own) {
  double *d;
  cudaMalloc(&d, 3 * sizeof(double));
  cudaMemcpy(d, own.terms, 3 * sizeof(double), cudaMemcpyHostToDevice);
  twice<<<1, 3>>>(d);
  cudaMemcpy(own.terms, d, 3 * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(d);
  return in[0] * own.terms[0] * own.terms[2];
}
double only_read(double *out, Series own) {
  std::memcpy(out, own.terms + 1, 2 * sizeof(double));
  return out[0] * own.terms[0] * own.terms[1];
}
