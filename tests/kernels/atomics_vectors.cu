// Atomic additions of vectors, which devices from sm_90 on have.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
template <class V> __device__ void atomicAdd(V *, V) {}  // so that it compiles for others; the gradient only reads
#endif

__global__ void vectors(const float4 *x, float4 *y, float2 *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicAdd(&y[i % 3], x[i]);
  atomicAdd(&z[i % 2], make_float2(x[i].x * x[i].y, sinf(x[i].w)));
}

// Numbers seen as vectors.
__global__ void seen_as_vectors(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (4 * i + 3 >= n) return;
  float4 v = *reinterpret_cast<const float4 *>(&x[4 * i]);
  v.x *= v.y;
  atomicAdd(reinterpret_cast<float4 *>(&y[4 * (i % 2)]), v);
}
