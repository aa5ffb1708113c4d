// Which overload a call takes, as types: this file must compile under nvcc and with <cladpy/host.h>.
#include <cmath>
#include <cuda_runtime.h>
#include <math_constants.h>
#include <type_traits>

#define IS(T, ...) static_assert(std::is_same<decltype(__VA_ARGS__), T>::value, #__VA_ARGS__)

__device__ void types() {
  const float f = 1.0f;
  const double d = 1.0;
  const int i = 1;
  const unsigned u = 1;
  const long l = 1;
  const unsigned long ul = 1;
  const long long ll = 1;
  const unsigned long long ull = 1;
  const short s = 1;
  IS(float, sin(f));
  IS(double, sin(d));
  IS(double, sin(i));
  IS(float, std::sin(f));
  IS(float, exp(f));
  IS(float, sqrt(f));
  IS(float, tanh(f));
  IS(float, erf(f));
  IS(float, tgamma(f));
  IS(float, pow(f, f));
  IS(double, pow(f, d));
  IS(double, pow(d, i));
  IS(double, pow(f, i));
  IS(double, pow(i, i));
  IS(float, std::pow(f, f));
  IS(double, std::pow(f, i));
  IS(float, fabs(f));
  IS(double, fabs(d));
  IS(float, abs(f));
  IS(double, abs(d));
  IS(int, abs(i));
  IS(long, abs(l));
  IS(long long, abs(ll));
  IS(float, std::abs(f));
  IS(float, fmax(f, f));
  IS(double, fmax(f, d));
  IS(float, fma(f, f, f));
  IS(double, fma(f, d, i));
  IS(float, atan2(f, f));
  IS(float, hypot(f, f));
  IS(float, fmod(f, f));
  IS(float, copysign(f, f));
  IS(float, floor(f));
  IS(float, round(f));
  IS(long, lround(f));
  IS(int, ilogb(f));
  IS(float, ldexp(f, i));
  IS(int, min(i, i));
  IS(int, min(s, s));
  IS(unsigned, min(i, u));
  IS(unsigned, max(u, i));
  IS(long, min(l, l));
  IS(unsigned long, min(l, ul));
  IS(long long, max(ll, ll));
  IS(unsigned long long, max(ull, ll));
  IS(float, min(f, f));
  IS(double, min(f, d));
  IS(double, max(d, f));
  IS(double, max(d, d));
  IS(float, rsqrt(f));
  IS(double, rsqrt(d));
  IS(float, rsqrtf(d));
  IS(float, rcbrt(f));
  IS(float, sinpi(f));
  IS(double, cospi(d));
  IS(float, exp10(f));
  IS(double, exp10(d));
  IS(float, normcdf(f));
  IS(double, erfcx(d));
  IS(float, erfinv(f));
  IS(double, erfcinv(d));
  IS(float, normcdfinv(f));
  IS(float, j0(f));
  IS(double, jn(i, d));
  IS(float, cyl_bessel_i0f(f));
  IS(double, cyl_bessel_i1(d));
  IS(double, norm3d(d, d, d));
  IS(float, rnorm4df(f, f, f, f));
  IS(double, rhypot(d, d));
  IS(float, rhypotf(f, f));
  IS(float, fdividef(f, f));
  IS(float, __expf(f));
  IS(float, __powf(f, f));
  IS(float, __saturatef(f));
  IS(float, __fdividef(f, f));
  IS(float, __fmaf_rn(f, f, f));
  IS(double, __fma_rd(d, d, d));
  IS(double, __dadd_ru(d, d));
  IS(float, __frcp_rz(f));
  IS(double, __dsqrt_rn(d));
  IS(float, __frsqrt_rn(f));
  IS(float, __double2float_rd(d));
  IS(int, __float2int_rn(f));
  IS(unsigned long long, __double2ull_ru(d));
  IS(double, __ll2double_rz(ll));
  IS(float, __ull2float_rn(ull));
  IS(int, __float_as_int(f));
  IS(double, __longlong_as_double(ll));
  IS(int, __double2hiint(d));
  IS(int, __clz(i));
  IS(int, __popcll(ull));
  IS(unsigned, __brev(u));
  IS(int, __mulhi(i, i));
  IS(unsigned, __sad(i, i, u));
  IS(unsigned long long, __umul64hi(ull, ull));
  IS(unsigned, __byte_perm(u, u, u));
  IS(int, __ffs(i));
  IS(bool, isnan(f));
  IS(bool, isinf(d));
  IS(bool, std::isfinite(f));
  IS(bool, signbit(d));
  IS(float, __shfl_down_sync(u, f, u));
  IS(double, __shfl_sync(u, d, i));
  IS(unsigned, __ballot_sync(u, i));
  IS(unsigned, __match_any_sync(u, i));
  IS(unsigned, __reduce_add_sync(u, u));
  IS(unsigned, __activemask());
  IS(int, __syncthreads_count(i));
  IS(unsigned, threadIdx.x);
  IS(float, CUDART_INF_F);
  IS(double, CUDART_PI);
  IS(float, __ldg(&f));
}

static_assert(sizeof(float2) == 8 && alignof(float2) == 8 && sizeof(float3) == 12 && alignof(float3) == 4, "");
static_assert(sizeof(float4) == 16 && alignof(float4) == 16 && sizeof(double2) == 16 && alignof(double2) == 16, "");
static_assert(sizeof(double3) == 24 && alignof(double3) == 8 && sizeof(char4) == 4 && alignof(char4) == 4, "");
static_assert(sizeof(short2) == 4 && alignof(short2) == 4 && sizeof(uchar2) == 2 && alignof(int2) == 8, "");
static_assert(sizeof(longlong2) == 16 && alignof(longlong2) == 16 && sizeof(ulong2) == 16, "");

__global__ void vectors(float4 *out) {
  const float4 v = make_float4(1, 2, 3, 4);
  const int2 n = make_int2(1, 2);
  out[threadIdx.x] = make_float4(v.w, v.x, float(n.y), 0);
}

__device__ int counter;
__constant__ double table[4];
__managed__ int managed;

template <class T> __global__ void __launch_bounds__(256, 2) atomics(T *p, int *i, unsigned *u, unsigned long long *q) {
  __shared__ T tile[32];
  static __shared__ int one;
  extern __shared__ double dynamic[];
  __align__(16) T local[4] = {T(0), T(1), T(2), T(3)};
  tile[threadIdx.x % 32] = T(dynamic[0]);
  one = 1;
  __syncthreads();
  atomicAdd(p, tile[0] + local[one]);
  atomicAdd(i, 1), atomicSub(i, 1), atomicExch(i, 1), atomicMin(i, 1), atomicMax(i, 1), atomicAnd(i, 1);
  atomicOr(u, 1u), atomicXor(u, 1u), atomicInc(u, 7u), atomicDec(u, 7u), atomicCAS(i, 0, 1), atomicCAS(q, 0ull, 1ull);
  atomicAdd(q, 1ull), atomicAdd_block(i, 1), atomicExch_system(i, 1), atomicAdd(&counter, 1);
  __threadfence();
  if (table[0] > 1e300) __trap();
}

__noinline__ __host__ __device__ double plain(double x) { return x; }
__forceinline__ __device__ double quick(const double *__restrict__ x) { return *x; }

int host_code() {
  double *memory = nullptr, values[4] = {1, 2, 3, 4};
  cudaStream_t stream;
  cudaEvent_t start;
  cudaDeviceProp properties;
  dim3 grid(2), block = 3;
  uint3 corner = make_uint3(0, 0, 0);
  if (cudaMalloc(&memory, sizeof values) != cudaSuccess) return 1;
  cudaMalloc(reinterpret_cast<void **>(&memory), sizeof values);
  cudaStreamCreate(&stream);
  cudaEventCreate(&start);
  cudaMemcpy(memory, values, sizeof values, cudaMemcpyHostToDevice);
  cudaMemcpyAsync(values, memory, sizeof values, cudaMemcpyDeviceToHost, stream);
  cudaMemset(memory, 0, sizeof values);
  cudaMemcpyToSymbol(table, values, sizeof values);
  cudaGetDeviceProperties(&properties, 0);
  cudaEventRecord(start, stream);
  cudaStreamSynchronize(stream);
  cudaEventDestroy(start);
  cudaStreamDestroy(stream);
  cudaFree(memory);
  cudaDeviceSynchronize();
  return cudaGetLastError() == cudaSuccess ? int(grid.x + block.y + corner.z) : cudaGetErrorString(cudaGetLastError())[0];
}
