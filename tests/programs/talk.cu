// Host functions of the talk on kernels in Clad, from "Kernel pullbacks" on; numbers are double where the slides have int.
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void kernel(double *out, double *in, int N) {
  int index = threadIdx.x + blockIdx.x * blockDim.x;
  if (index < N) {
    out[index] = in[index];
  }
}

void launch(double *out, double *in, int N) {
  kernel<<<1, 5>>>(out, in, N);
}

__global__ void scaled(double *out, double *in, double factor, int N) {
  int index = threadIdx.x + blockIdx.x * blockDim.x;
  if (index < N) out[index] = factor * factor * in[index];
}

// The adjoint of a number that is passed by value comes back through device memory.
void launch_scaled(double *out, double *in, double factor, int N) {
  scaled<<<2, 4>>>(out, in, factor, N);
}

__global__ void kernel_call(double *a, double *b) {
  int index = threadIdx.x + blockIdx.x * blockDim.x;
  a[index] = b[index] * b[index];
}

double fn(double *out, double *in) {
  double *in_dev = nullptr;
  cudaMalloc(&in_dev, 10 * sizeof(double));
  cudaMemcpy(in_dev, in, 10 * sizeof(double), cudaMemcpyHostToDevice);
  kernel_call<<<1, 10>>>(out, in_dev);
  double *out_host = (double *)malloc(10 * sizeof(double));
  cudaMemcpy(out_host, out, 10 * sizeof(double), cudaMemcpyDeviceToHost);
  double res = 0;
  for (int i = 0; i < 10; ++i) {
    res += out_host[i];
  }
  free(out_host);
  cudaFree(in_dev);
  return res;
}

// The same as it stands on the slide, which frees the caller's memory too.
double fn_that_frees(double *out, double *in) {
  double *in_dev = nullptr;
  cudaMalloc(&in_dev, 10 * sizeof(double));
  cudaMemcpy(in_dev, in, 10 * sizeof(double), cudaMemcpyHostToDevice);
  kernel_call<<<1, 10>>>(out, in_dev);
  double *out_host = (double *)malloc(10 * sizeof(double));
  cudaMemcpy(out_host, out, 10 * sizeof(double), cudaMemcpyDeviceToHost);
  double res = 0;
  for (int i = 0; i < 10; ++i) {
    res += out_host[i];
  }
  free(out_host);
  cudaFree(out);
  cudaFree(in_dev);
  return res;
}

// The demo: a contraction of two tensors of three dimensions over one of each.
typedef unsigned long long int size_type;

__device__ void computeStartStep(size_type &A_start, size_type &A_step, size_type &B_start, size_type &B_step,
                                 const int idx, const size_type A_dim[3], const size_type B_dim[3],
                                 const int contractDimA, const int contractDimB) {
  size_type A_a, A_b, A_c, B_d, B_e, B_f;
  int contractDim = contractDimA;
  A_a = idx / (A_dim[(contractDim + 1) % 3] * A_dim[(contractDim + 2) % 3]);
  (void)A_a;
  const size_type B_first = B_dim[(contractDimB + 1) % 3], B_second = B_dim[(contractDimB + 2) % 3];
  const size_type rest = idx % (B_first * B_second), own = idx / (B_first * B_second);
  A_b = own / A_dim[contractDim == 2 ? 1 : 2];
  A_c = own % A_dim[contractDim == 2 ? 1 : 2];
  switch (contractDimA) {
  case 0:
    A_start = A_b * A_dim[2] + A_c;
    A_step = A_dim[1] * A_dim[2];
    break;
  case 1:
    A_start = A_b * A_dim[1] * A_dim[2] + A_c;
    A_step = A_dim[2];
    break;
  default:
    A_start = A_b * A_dim[1] * A_dim[2] + A_c * A_dim[2];
    A_step = 1;
    break;
  }
  B_e = rest / B_second;
  B_f = rest % B_second;
  B_d = B_dim[2];
  switch (contractDimB) {
  case 0:
    B_start = B_e * B_d + B_f;
    B_step = B_dim[1] * B_d;
    break;
  case 1:
    B_start = B_f * B_dim[1] * B_d + B_e;
    B_step = B_d;
    break;
  default:
    B_start = B_e * B_dim[1] * B_d + B_f * B_d;
    B_step = 1;
    break;
  }
}

__global__ void tensorContraction3D(double *C, const double *A, const double *B, const size_type *A_dim,
                                    const size_type *B_dim, const int contractDimA, const int contractDimB) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  const size_type A_rest = A_dim[(contractDimA + 1) % 3] * A_dim[(contractDimA + 2) % 3];
  const size_type B_rest = B_dim[(contractDimB + 1) % 3] * B_dim[(contractDimB + 2) % 3];
  if (idx < A_rest * B_rest) {
    size_type A_start, B_start, A_step, B_step;
    size_type contractDimension = A_dim[contractDimA];
    computeStartStep(A_start, A_step, B_start, B_step, idx, A_dim, B_dim, contractDimA, contractDimB);
    double sum = 0;
    for (size_type i = 0; i < contractDimension; ++i) {
      sum += A[A_start + i * A_step] * B[B_start + i * B_step];
    }
    C[idx] = sum;
  }
}

void launchTensorContraction3D(double *C, const double *A, const double *B, const size_type D1, const size_type D2,
                               const size_type D3, const size_type D4, const size_type D5) {
  double *d_A = nullptr, *d_B = nullptr, *d_C = nullptr;

  const size_type A_size = D1 * D2 * D3 * sizeof(double);
  const size_type B_size = D3 * D4 * D5 * sizeof(double);
  const size_type C_size = D1 * D2 * D4 * D5 * sizeof(double);

  // Allocate device memory and copy data from host to device
  cudaMalloc(&d_A, A_size);
  cudaMalloc(&d_B, B_size);
  cudaMalloc(&d_C, C_size);
  cudaMemcpy(d_A, A, A_size, cudaMemcpyHostToDevice);
  cudaMemcpy(d_B, B, B_size, cudaMemcpyHostToDevice);

  const size_type A_dim[3] = {D1, D2, D3};
  const size_type B_dim[3] = {D3, D4, D5};

  size_type *d_A_dim = nullptr, *d_B_dim = nullptr;
  cudaMalloc(&d_A_dim, 3 * sizeof(size_type));
  cudaMalloc(&d_B_dim, 3 * sizeof(size_type));
  cudaMemcpy(d_A_dim, A_dim, 3 * sizeof(size_type), cudaMemcpyHostToDevice);
  cudaMemcpy(d_B_dim, B_dim, 3 * sizeof(size_type), cudaMemcpyHostToDevice);

  // Launch the kernel
  tensorContraction3D<<<1, 256>>>(d_C, d_A, d_B, d_A_dim, d_B_dim, /*contractDimA=*/2, /*contractDimB=*/0);

  // Copy the result from device to host
  cudaMemcpy(C, d_C, C_size, cudaMemcpyDeviceToHost);

  // Free device memory
  cudaFree(d_A);
  cudaFree(d_B);
  cudaFree(d_C);
  cudaFree(d_A_dim);
  cudaFree(d_B_dim);
}
