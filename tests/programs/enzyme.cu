// The programs of Enzyme's guide to CUDA, without the wrappers, augmented kernels and tapes that it asks for.
#include <cuda_runtime.h>
#include <stdio.h>

__device__ void foo_impl(double *x_in, double *x_out) { x_out[0] = x_in[0] * x_in[0]; }

__global__ void foo(double *x_in, double *x_out) { foo_impl(x_in, x_out); }

double square_on_device(double x) {
  double *d_x, *d_y;
  double host_y;

  cudaMalloc(&d_x, sizeof(*d_x));
  cudaMalloc(&d_y, sizeof(*d_y));
  cudaMemcpy(d_x, &x, sizeof(*d_x), cudaMemcpyHostToDevice);

  foo<<<1, 1>>>(d_x, d_y);

  cudaDeviceSynchronize();
  cudaMemcpy(&host_y, d_y, sizeof(*d_y), cudaMemcpyDeviceToHost);
  cudaFree(d_x);
  cudaFree(d_y);
  cudaDeviceReset();
  return host_y;
}

// GPU Kernel
__global__
void collide(float* src, float* dst) {
    size_t idx = threadIdx.x;
    if (idx < 100) {
        dst[idx] += src[idx] * src[idx] - 3 * src[idx];
    }
}

// Wrapper CPU function which calls kernel
void kern(float* src, float* dst) {
    collide<<<1, 100>>>(src, dst);
}

// Main CPU code that calls wrapper function
void iter(int nTimeSteps, float* src, float* dst) {
    for (unsigned int i=0; i<nTimeSteps/2; i++) {
        kern(src, dst);
        kern(dst, src);
    }
}

__global__ void collide_double(double *src, double *dst) {
  size_t idx = threadIdx.x;
  if (idx < 100) {
    dst[idx] += src[idx] * src[idx] - 3 * src[idx];
  }
}

void kern_double(double *src, double *dst) { collide_double<<<1, 100>>>(src, dst); }

void iter_double(int nTimeSteps, double *src, double *dst) {
  for (unsigned int i = 0; i < nTimeSteps / 2; i++) {
    kern_double(src, dst);
    kern_double(dst, src);
  }
}
