// Planes and tables: sampling, resizing, convolutions, products, and moving things about.
#include <cuda_fp16.h>
#include <math.h>

// ---- sampling at places that are differentiated ------------------------------------------------------------------------

__device__ float at(const float *x, int h, int w, int r, int c) {
  return r >= 0 && r < h && c >= 0 && c < w ? x[r * w + c] : 0.0f;
}
// Bilinear, zero outside; corners are centres of pixels.
__global__ void sample(const float *x, const float *u, const float *v, float *y, int h, int w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float c = (u[i] + 1.0f) * 0.5f * (w - 1), r = (v[i] + 1.0f) * 0.5f * (h - 1);
  int c0 = (int)floorf(c), r0 = (int)floorf(r);
  float fc = c - c0, fr = r - r0;
  y[i] = (1.0f - fr) * ((1.0f - fc) * at(x, h, w, r0, c0) + fc * at(x, h, w, r0, c0 + 1)) +
         fr * ((1.0f - fc) * at(x, h, w, r0 + 1, c0) + fc * at(x, h, w, r0 + 1, c0 + 1));
}
// The last pixel repeated outside; corners are corners of pixels.
__global__ void sample_border(const double *x, const double *u, const double *v, double *y, int h, int w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double c = fmin(fmax(((u[i] + 1) * w - 1) / 2, 0.0), w - 1.0);
  double r = fmin(fmax(((v[i] + 1) * h - 1) / 2, 0.0), h - 1.0);
  int c0 = (int)c, r0 = (int)r;
  int c1 = min(c0 + 1, w - 1), r1 = min(r0 + 1, h - 1);
  double fc = c - c0, fr = r - r0;
  double above = x[r0 * w + c0] + fc * (x[r0 * w + c1] - x[r0 * w + c0]);
  double below = x[r1 * w + c0] + fc * (x[r1 * w + c1] - x[r1 * w + c0]);
  y[i] = above + fr * (below - above);
}
// A table between whose entries lines are drawn; beyond the ends it goes on level.
__global__ void table(const float *x, const float *u, float *y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  float at = fminf(fmaxf(u[i] + 2.0f, 0.0f), n - 1.0f);
  int k = min((int)at, n - 2);
  float f = at - k;
  y[i] = (1.0f - f) * x[k] + f * x[k + 1];
}

// ---- resizing ----------------------------------------------------------------------------------------------------------

__global__ void upsample_nearest(const float *x, float *y, int h, int w) {
  int c = threadIdx.x, r = threadIdx.y;
  if (c < 2 * w && r < 2 * h) y[r * 2 * w + c] = x[r / 2 * w + c / 2];
}
__global__ void upsample_bilinear(const float *x, float *y, int h, int w) {
  int c = threadIdx.x, r = threadIdx.y;
  if (c >= 2 * w || r >= 2 * h) return;
  float sc = fmaxf((c + 0.5f) * 0.5f - 0.5f, 0.0f), sr = fmaxf((r + 0.5f) * 0.5f - 0.5f, 0.0f);
  int c0 = (int)sc, r0 = (int)sr, c1 = min(c0 + 1, w - 1), r1 = min(r0 + 1, h - 1);
  float fc = sc - c0, fr = sr - r0;
  y[r * 2 * w + c] = (1 - fr) * ((1 - fc) * x[r0 * w + c0] + fc * x[r0 * w + c1]) +
                     fr * ((1 - fc) * x[r1 * w + c0] + fc * x[r1 * w + c1]);
}
// Channels become pixels: x is (4, h, w).
__global__ void pixel_shuffle(const float *x, float *y, int h, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 4 * h * w) return;
  int c = i % (2 * w), r = i / (2 * w);
  y[i] = x[((r % 2) * 2 + c % 2) * h * w + r / 2 * w + c / 2];
}
__global__ void rolled(const float *x, float *y, int n, int by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[(i + by) % n] = x[i];
}
__global__ void flipped(const float *x, float *y, int n) {
  __shared__ float block[32];
  int t = threadIdx.x;
  if (t < n) block[t] = x[t];
  __syncthreads();
  if (t < n) y[t] = block[n - 1 - t];
}
__global__ void reflected(const float *x, float *y, int n, int by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n + 2 * by) return;
  int k = abs(i - by);
  if (k >= n) k = 2 * (n - 1) - k;
  y[i] = x[k];
}
__global__ void replicated(const double *x, double *y, int n, int by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n + 2 * by) y[i] = x[min(max(i - by, 0), n - 1)];
}
__global__ void transposed(const float *x, float *y, int rows, int n) {
  __shared__ float tile[8][9];
  int c = threadIdx.x, r = threadIdx.y;
  if (r < rows && c < n) tile[r][c] = x[r * n + c];
  __syncthreads();
  if (c < rows && r < n) y[r * rows + c] = tile[c][r];
}

// ---- convolutions and products -----------------------------------------------------------------------------------------

__global__ void conv1d(const float *x, const float *w, float *y, int n, int k) {
  __shared__ float tile[40];
  int t = threadIdx.x, half = k / 2;
  for (int i = t; i < n + 2 * half; i += blockDim.x) tile[i] = i >= half && i - half < n ? x[i - half] : 0.0f;
  __syncthreads();
  if (t >= n) return;
  float sum = 0.0f;
  for (int j = 0; j < k; ++j) sum += tile[t + j] * w[j];
  y[t] = sum;
}
template <class T>
__global__ void conv2d(const T *x, const T *k, T *y, int h, int w) {
  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
  if (c >= w || r >= h) return;
  T sum = 0;
  for (int a = -1; a <= 1; ++a)
    for (int b = -1; b <= 1; ++b)
      if (r + a >= 0 && r + a < h && c + b >= 0 && c + b < w) sum += x[(r + a) * w + c + b] * k[(a + 1) * 3 + b + 1];
  y[r * w + c] = sum;
}
__global__ void matmul_tiled(const float *a, const float *b, float *y, int rows, int n, int m) {
  __shared__ float left[4][4], right[4][4];
  int r = blockIdx.y * 4 + threadIdx.y, c = blockIdx.x * 4 + threadIdx.x;
  float sum = 0.0f;
  for (int first = 0; first < n; first += 4) {
    left[threadIdx.y][threadIdx.x] = r < rows && first + threadIdx.x < n ? a[r * n + first + threadIdx.x] : 0.0f;
    right[threadIdx.y][threadIdx.x] = c < m && first + threadIdx.y < n ? b[(first + threadIdx.y) * m + c] : 0.0f;
    __syncthreads();
    for (int k = 0; k < 4; ++k) sum += left[threadIdx.y][k] * right[k][threadIdx.x];
    __syncthreads();
  }
  if (r < rows && c < m) y[r * m + c] = sum;
}
__global__ void matmul_half(const __half *a, const __half *b, __half *y, int rows, int n, int m) {
  int r = threadIdx.y, c = threadIdx.x;
  if (r >= rows || c >= m) return;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) sum += __half2float(a[r * n + k]) * __half2float(b[k * m + c]);
  y[r * m + c] = __float2half(sum);
}
__global__ void linear_relu(const float *a, const float *b, float *y, int rows, int n, int m) {
  int r = threadIdx.y, c = threadIdx.x;
  if (r >= rows || c >= m) return;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) sum = fmaf(a[r * n + k], b[k * m + c], sum);
  y[r * m + c] = fmaxf(sum, 0.0f);
}
__global__ void outer(const float *a, const float *b, float *y, int rows, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows * n) y[i] = a[i / n] * b[i % n];
}
__global__ void dot(const float4 *a, const float4 *b, float *y, int n) {
  float sum = 0.0f;
  for (int i = threadIdx.x; i < n / 4; i += 32) {
    float4 u = a[i], v = b[i];
    sum += u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w;
  }
  for (int k = 16; k > 0; k >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, k);
  if (threadIdx.x == 0) y[0] = sum;
}

// ---- by index ----------------------------------------------------------------------------------------------------------

__global__ void embedding(const float *x, const int *index, float *y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m * n) y[i] = x[index[i / n] * n + i % n];
}
__global__ void embedding_float4(const float4 *x, const int *index, float4 *y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, quarter = n / 4;
  if (i < m * quarter) y[i] = x[index[i / quarter] * quarter + i % quarter];
}
// The largest of each bag of three rows, by column.
__global__ void embedding_bag(const float *x, const int *index, float *y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m / 3 * n) return;
  int bag = i / n, c = i % n;
  float found = -INFINITY;
  for (int k = 0; k < 3; ++k) found = fmaxf(found, x[index[bag * 3 + k] * n + c]);
  y[i] = found;
}
__global__ void scatter_add(const float *x, const int *index, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&y[index[i]], x[i]);
}
__global__ void gathered(const double *x, const int *index, double *y, int rows, int n) {
  int row = blockIdx.x, c = threadIdx.x;
  if (c < n) y[row * n + c] = x[row * n + index[row * n + c]];
}
// The largest of each segment of neighbours: the rows of a sparse matrix begin where `start` says.
__global__ void segment_max(const float *x, const int *start, float *y, int m) {
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= m) return;
  float found = x[start[s]];
  for (int k = start[s] + 1; k < start[s + 1]; ++k) found = fmaxf(found, x[k]);
  y[s] = found;
}
