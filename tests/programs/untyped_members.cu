// Kernels that are given an object whose pointers do not say what they lead to.
#include <cuda_runtime.h>

struct Batch {
  int count;
  const void *in;
  void *__restrict__ out;
  const void *weights;
};

__global__ void weighted(Batch batch) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= batch.count) return;
  const float *row = reinterpret_cast<const float *>(batch.in) + 4 * i;
  const float4 v = *reinterpret_cast<const float4 *>(row);
  float *out = (float *)batch.out;
  out[i] = v.x * v.y + v.z * v.w * ((const float *)batch.weights)[i] * row[0];
}

void through_void(float *in, float *out, float *weights, int count) {
  Batch batch;
  batch.count = count;
  batch.in = in, batch.out = out, batch.weights = weights;
  weighted<<<(count + 31) / 32, 32>>>(batch);
  batch.in = out, batch.out = weights;
  weighted<<<1, count / 4>>>(batch);
}
