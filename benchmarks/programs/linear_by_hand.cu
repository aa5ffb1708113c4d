#include "register_tiles.h"

// ---- gemv ----

template <bool Fresh>
__global__ void gemv_columns(const double *A, const double *x, int n, double *d_out, double *d_A, double *d_x) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const double d = i < n ? d_out[i] : 0.0;
  for (int j = 0; j < n; j++) {
    double part = 0.0;
    if (i < n) {
      give<Fresh>(d_A[j * n + i], d * x[j]);
      part = d * A[j * n + i];
    }
    part = warp_sum(part);
    if (threadIdx.x % 32 == 0) atomicAdd(&d_x[j], part);
  }
  if (i < n) spend<Fresh>(d_out[i]);
}

__global__ void clear(double *d, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) d[i] = 0.0;
}

// In the primal's grid: a sum over each warp and an atomic for each row.
template <bool Fresh>
void gemv_by_hand(const at &a, double *, const double *A, const double *x, int n, double *d_out, double *d_A,
                  double *d_x) {
  LAUNCH(a, (gemv_columns<Fresh>), A, x, n, d_out, d_A, d_x);
}

// A block for each row: neighbouring threads at neighbouring elements, and no atomics.
template <bool Fresh>
__global__ void gemv_rows(const double *A, const double *x, int n, const double *d_out, double *d_A, double *d_x) {
  const int j = static_cast<int>(blockIdx.x);
  const double factor = x[j];
  double sum = 0.0;
  for (int i = static_cast<int>(threadIdx.x); i < n; i += static_cast<int>(blockDim.x)) {
    const double d = d_out[i];
    give<Fresh>(d_A[j * n + i], d * factor);
    sum += d * A[j * n + i];
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) give<Fresh>(d_x[j], sum);
}

template <bool Fresh>
void gemv_retiled(const at &a, double *, const double *A, const double *x, int n, double *d_out, double *d_A,
                  double *d_x) {
  LAUNCH_AS(a, n, 256, 0, (gemv_rows<Fresh>), A, x, n, d_out, d_A, d_x);
  if (!Fresh) LAUNCH(a, clear, d_out, n);
}

// ---- lj: each particle pulls both sides of its pairs ----

// The derivative of the energy of a pair by the square of the distance, twice.
__device__ __forceinline__ double pull(double r2) {
  const double inverse = 1.0 / r2, q = inverse * inverse * inverse;
  return (6.0 - 12.0 * q) * q * inverse;
}

template <bool Fresh>
__global__ void lj_back(const double *x, const double *y, const double *z, int n, const double *d_e, double *d_x,
                        double *d_y, double *d_z) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const double xi = x[i], yi = y[i], zi = z[i], d = d_e[i];
  double sx = 0, sy = 0, sz = 0;
  for (int j = 0; j < n; j++) {
    const double dx = xi - x[j], dy = yi - y[j], dz = zi - z[j];
    const double f = (d + d_e[j]) * pull(dx * dx + dy * dy + dz * dz + 0.1);
    sx += f * dx;
    sy += f * dy;
    sz += f * dz;
  }
  give<Fresh>(d_x[i], sx);
  give<Fresh>(d_y[i], sy);
  give<Fresh>(d_z[i], sz);
}

template <bool Fresh>
void lj_by_hand(const at &a, double *, const double *x, const double *y, const double *z, int n, double *d_e,
                double *d_x, double *d_y, double *d_z) {
  LAUNCH(a, (lj_back<Fresh>), x, y, z, n, d_e, d_x, d_y, d_z);
  if (!Fresh) LAUNCH(a, clear, d_e, n);
}

// A warp for each particle.
template <bool Fresh>
__global__ void lj_warps(const double *x, const double *y, const double *z, int n, const double *d_e, double *d_x,
                         double *d_y, double *d_z) {
  const int i = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / 32);
  if (i >= n) return;
  const double xi = x[i], yi = y[i], zi = z[i], d = d_e[i];
  double sx = 0, sy = 0, sz = 0;
  for (int j = static_cast<int>(threadIdx.x % 32); j < n; j += 32) {
    const double dx = xi - x[j], dy = yi - y[j], dz = zi - z[j];
    const double f = (d + d_e[j]) * pull(dx * dx + dy * dy + dz * dz + 0.1);
    sx += f * dx;
    sy += f * dy;
    sz += f * dz;
  }
  sx = warp_sum(sx), sy = warp_sum(sy), sz = warp_sum(sz);
  if (threadIdx.x % 32 == 0) {
    give<Fresh>(d_x[i], sx);
    give<Fresh>(d_y[i], sy);
    give<Fresh>(d_z[i], sz);
  }
}

template <bool Fresh>
void lj_retiled(const at &a, double *, const double *x, const double *y, const double *z, int n, double *d_e,
                double *d_x, double *d_y, double *d_z) {
  LAUNCH_AS(a, (n + 7) / 8, 256, 0, (lj_warps<Fresh>), x, y, z, n, d_e, d_x, d_y, d_z);
  if (!Fresh) LAUNCH(a, clear, d_e, n);
}

// ---- gemm: two products ----

__global__ void clear_floats(float *d, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) d[i] = 0.0f;
}

// In the primal's tiles: first d_A = d_C B', then d_B = A' d_C.
template <bool Fresh>
__global__ void gemm_tiles(const float *A, const float *B, const float *d_C, float *d_A, float *d_B, int n) {
  __shared__ float p[16][17], q[16][17];
  const int tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y);
  const int row = static_cast<int>(blockIdx.y) * 16 + ty, column = static_cast<int>(blockIdx.x) * 16 + tx;
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    p[ty][tx] = d_C[row * n + k + tx];
    q[ty][tx] = B[(static_cast<int>(blockIdx.x) * 16 + ty) * n + k + tx];
    __syncthreads();
    for (int j = 0; j < 16; j++) sum += p[ty][j] * q[tx][j];
    __syncthreads();
  }
  give<Fresh>(d_A[row * n + column], sum);
  sum = 0;
  for (int k = 0; k < n; k += 16) {
    p[ty][tx] = A[(k + ty) * n + static_cast<int>(blockIdx.y) * 16 + tx];
    q[ty][tx] = d_C[(k + ty) * n + column];
    __syncthreads();
    for (int j = 0; j < 16; j++) sum += p[j][ty] * q[j][tx];
    __syncthreads();
  }
  give<Fresh>(d_B[row * n + column], sum);
}

template <bool Fresh>
void gemm_by_hand(const at &a, const float *A, const float *B, float *, int n, float *d_A, float *d_B, float *d_C) {
  LAUNCH(a, (gemm_tiles<Fresh>), A, B, d_C, d_A, d_B, n);
  if (!Fresh) LAUNCH_AS(a, (n * n + 255) / 256, 256, 0, clear_floats, d_C, n * n);
}

template <bool Fresh>
void gemm_retiled(const at &a, const float *A, const float *B, float *, int n, float *d_A, float *d_B, float *d_C) {
  product<Fresh, false, true>(a, d_C, B, d_A, n, n, n);
  product<Fresh, true, false>(a, A, d_C, d_B, n, n, n);
  if (!Fresh) LAUNCH_AS(a, (n * n + 255) / 256, 256, 0, clear_floats, d_C, n * n);
}
