// What only tells compilers how to make a kernel, launches of all shapes, and vectors where numbers are declared.
#ifdef __HIP__
#define __grid_constant__
#endif
#define THREADS 128
#define VECTOR(place) (*reinterpret_cast<float4 *>(&(place)))
#define VECTOR_OF(place) (reinterpret_cast<const float4 *>(&(place))[0])

struct Scales {
  double a, b;
};

__global__ void __launch_bounds__(64)
    constant_in_grid(const __grid_constant__ Scales s, const double *__restrict__ x, double *__restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = s.a * x[i] * x[i] + s.b;
}

__forceinline__ __device__ double square(double v) { return v * v; }
__device__ __noinline__ double waves(double v) { return sin(v) * v; }
static __inline__ __device__ double both(const double &v) { return square(v) + waves(v); }

template <int B>
__global__ __launch_bounds__(B, 2) void unrolled(const double *__restrict x, double *__restrict y, const int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (__builtin_expect(i >= n, 0)) return;
  double sum = 0.0;
#pragma unroll
  for (int k = 0; k < 3; ++k) sum += k * both(x[i]);
#pragma unroll 4
  for (int k = 0; k < n; ++k) sum += 0.1 * k * square(x[i]);
#pragma unroll(B / 16)
  for (int k = 0; k < n; k += 2) sum += 0.01 * waves(x[(i + k) % n]);
  y[i] = sum;
}

extern "C" __global__ void __launch_bounds__(THREADS) rows_of_vectors(const float *__restrict__ x, float *y, int n, int ld) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float *row = x + i * ld;
  for (int k = 0; k < ld; k += 4) {
    float4 v = *(const float4 *)(&row[k]), *out = (float4 *)(y + i * ld + k);
    *out = make_float4(v.x * v.x, v.y * v.x, v.z, v.w * v.y);
  }
}

__global__ void vectors_everywhere(const float *x, float *y) {
  __shared__ float s[128];
  float r[4];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  VECTOR(r[0]) = VECTOR_OF(x[4 * i]);
  VECTOR(s[t * 4]) = VECTOR(r[0]);
  __syncthreads();
  float4 other = VECTOR(s[(t ^ 1) * 4]);
  r[0] *= other.y;
  r[3] += other.w * other.w;
  VECTOR(y[4 * i]) = VECTOR(r[0]);
}

// Blocks take tiles in turn.
__global__ void tiles_in_turn(const double *x, double *y, int n) {
  for (int tile = blockIdx.x; tile < (n + 15) / 16; tile += gridDim.x) {
    int i = tile * 16 + threadIdx.x;
    if (threadIdx.x < 16 && i < n) y[i] = x[i] * x[(i + 1) % n];
    __syncthreads();
  }
}

__global__ void in_three_dimensions(const double *x, double *y) {
  dim3 extent = blockDim;
  auto thread = threadIdx;
  auto at = blockIdx;
  int i = at.x * extent.x + thread.x, j = at.y * extent.y + thread.y, k = at.z * extent.z + thread.z;
  int nx = gridDim.x * extent.x, ny = gridDim.y * extent.y, nz = gridDim.z * extent.z;
  y[(k * ny + j) * nx + i] = x[(k * ny + j) * nx + i] * x[(((k + 1) % nz) * ny + j) * nx + (i + 1) % nx];
}

__global__ void without_a_number(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] < 1e3 ? x[i] * x[i] : nan("") + nanf("");
}
