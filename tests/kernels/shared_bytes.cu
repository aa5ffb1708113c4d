// Shared memory that is declared as bytes, and used as memory of another type.
#include <type_traits>

struct Triple {
  double a, b;
  int n;
};

__global__ void as_numbers(const double *x, double *y) {
  __shared__ __align__(8) unsigned char memory[64 * sizeof(double)];
  double *first = reinterpret_cast<double *>(memory), *second = (double *)(memory + 32 * sizeof(double));
  int t = threadIdx.x;
  first[t] = x[t] * x[t];
  second[t] = x[t] * 2;
  __syncthreads();
  y[t] = first[31 - t] * second[(t + 3) % 32];
}

__global__ void as_objects(const double *x, double *y) {
  __shared__ __align__(16) char memory[32 * sizeof(Triple)];
  Triple *of = reinterpret_cast<Triple *>(memory);
  int t = threadIdx.x;
  of[t].a = x[t] * x[t];
  of[t].b = x[t];
  of[t].n = t;
  __syncthreads();
  y[t] = of[31 - t].a * of[t].b * of[(t + 1) % 32].n;
}

__global__ void one_number(const double *x, double *y) {
  __shared__ std::aligned_storage<sizeof(double), alignof(double)>::type memory;
  double *number = (double *)&memory;
  if (threadIdx.x == 3) *number = x[3] * x[3];
  __syncthreads();
  y[threadIdx.x] = *number * x[threadIdx.x];
}

__global__ void as_flags(const double *x, double *y) {
  __shared__ char large[32];
  large[threadIdx.x] = x[threadIdx.x] > 0.7;
  __syncthreads();
  y[threadIdx.x] = large[31 - threadIdx.x] ? x[threadIdx.x] : x[threadIdx.x] * x[threadIdx.x];
}

// Mean and variance by Welford's way, as PyTorch's kernels reduce them.
template <class T>
struct Moments {
  T mean, m2;
  int n;
  __device__ Moments(T mean, T m2, int n) : mean(mean), m2(m2), n(n) {}
};
template <class T>
__device__ Moments<T> joined(Moments<T> a, Moments<T> b) {
  if (a.n == 0) return b;
  if (b.n == 0) return a;
  T delta = b.mean - a.mean;
  int n = a.n + b.n;
  return {a.mean + delta * b.n / n, a.m2 + b.m2 + delta * delta * a.n * b.n / n, n};
}
template <class T>
__global__ void moments(const T *x, T *y, int n) {
  __shared__ typename std::aligned_storage<sizeof(Moments<T>), alignof(Moments<T>)>::type memory[32];
  Moments<T> *of = reinterpret_cast<Moments<T> *>(memory);
  Moments<T> mine(0, 0, 0);
  for (int i = threadIdx.x; i < n; i += blockDim.x) mine = joined(mine, Moments<T>(x[blockIdx.x * n + i], 0, 1));
  of[threadIdx.x] = mine;
  __syncthreads();
  for (int k = 16; k > 0; k /= 2) {
    if (threadIdx.x < k) of[threadIdx.x] = joined(of[threadIdx.x], of[threadIdx.x + k]);
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    y[2 * blockIdx.x] = of[0].mean;
    y[2 * blockIdx.x + 1] = of[0].m2 / of[0].n;
  }
}
template __global__ void moments<float>(const float *, float *, int);
