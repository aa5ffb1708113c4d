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

struct alignas(8) Pack {
  float held[2];
};

// A class seen as a vector, and members of a vector by their number.
__global__ void in_a_class(const float *x, Pack *y, float4 *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicAdd(reinterpret_cast<float2 *>(y + i % 3), make_float2(x[i] * x[i], sinf(x[i])));
  for (int k = 0; k < 4; ++k) atomicAdd(reinterpret_cast<float *>(z + i % 2) + k, x[i] * x[(i + k) % n]);
}

__global__ void one_of_two(const float *x, float *y, float *z, int n) {
  __shared__ float near[2], far[2];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (t < 2) near[t] = far[t] = 0.0f;
  __syncthreads();
  float *sums = i % 3 ? near : far;
  if (i < n) atomicAdd(sums + i % 2, x[i] * x[i]);
  __syncthreads();
  if (t < 2) atomicAdd((t ? y : z) + 1, near[t] * far[t]);
}
