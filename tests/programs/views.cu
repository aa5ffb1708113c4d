// Objects with pointers, and with arrays and objects beside them, that kernels are given by value.
#include <cuda_runtime.h>

struct Vector {
  double x, y;
};
struct Field {
  double *data[3];
  double factors[4];
  Vector shift;
  int n;
  float unused[2];
};
__global__ void advance(Field f, double dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= f.n) return;
  double a = f.data[0][i], b = f.data[1][i];
  f.data[2][i] = a + dt * (f.factors[0] * a + f.factors[3] * b * b + f.shift.x) + f.shift.y * f.factors[1] * a * b;
}
__global__ void sum(double *out, Field f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < f.n) atomicAdd(out, f.data[2][i] * f.data[2][i] * f.factors[2]);
}

double advanced(const double *a, const double *factors, Vector shift, double dt, int n, int steps) {
  Field f;
  f.n = n;
  for (int i = 0; i < 3; ++i) cudaMalloc(&f.data[i], n * sizeof(double));
  cudaMemcpy(f.data[0], a, n * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemcpy(f.data[1], a, n * sizeof(double), cudaMemcpyHostToDevice);
  for (int i = 0; i < 4; ++i) f.factors[i] = factors[i] * factors[(i + 1) % 4];
  f.shift = shift;
  double *out, result = 0;
  cudaMalloc(&out, sizeof(double));
  cudaMemset(out, 0, sizeof(double));
  for (int t = 0; t < steps; ++t) {
    advance<<<(n + 15) / 16, 16>>>(f, dt);
    double *first = f.data[0];
    f.data[0] = f.data[2];
    f.data[2] = first;
    f.factors[0] *= 0.9;
    f.shift.x += f.factors[0];
  }
  sum<<<(n + 15) / 16, 16>>>(out, f);
  cudaMemcpy(&result, out, sizeof(double), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 3; ++i) cudaFree(f.data[i]);
  cudaFree(out);
  return result;
}
