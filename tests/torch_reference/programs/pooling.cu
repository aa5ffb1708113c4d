// Pooling of rows and of planes.
#include <cuda_fp16.h>
#include <math.h>

__global__ void max_pool_row(const float *x, float *y, int rows, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * m) return;
  const float *in = x + i / m * n + i % m * 2;
  float found = in[0];
  for (int k = 1; k < 3; ++k) found = fmaxf(found, in[k]);
  y[i] = found;
}
// By place, as frameworks keep it.
__global__ void max_pool_row_place(const float *x, float *y, int rows, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * m) return;
  int first = i / m * n + i % m * 2, best = first;
  float found = -INFINITY;
  for (int k = first; k < first + 3; ++k)
    if (x[k] > found) {
      found = x[k];
      best = k;
    }
  y[i] = x[best];
}

__global__ void max_pool(const float *x, float *y, int h, int w) {
  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
  if (c >= w / 2 || r >= h / 2) return;
  const float *in = x + 2 * r * w + 2 * c;
  y[r * (w / 2) + c] = fmaxf(fmaxf(in[0], in[1]), fmaxf(in[w], in[w + 1]));
}
__global__ void max_pool_chosen(const double *x, double *y, int h, int w) {
  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
  if (c >= w / 2 || r >= h / 2) return;
  double m = -1e300;
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 2; ++b) {
      double v = x[(2 * r + a) * w + 2 * c + b];
      m = v > m ? v : m;
    }
  y[r * (w / 2) + c] = m;
}
// A window of three with a border, from a tile.
__global__ void max_pool_overlapping(const float *x, float *y, int h, int w) {
  __shared__ float tile[10][10];
  int c = threadIdx.x, r = threadIdx.y;
  bool inside = c >= 1 && r >= 1 && c <= w && r <= h;
  tile[r][c] = inside ? x[(r - 1) * w + c - 1] : -INFINITY;
  __syncthreads();
  if (c >= w || r >= h) return;
  float m = -INFINITY;
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) m = fmaxf(m, tile[r + a][c + b]);
  y[r * w + c] = m;
}
__global__ void max_pool_half2(const __half2 *x, __half *y, int h, int w) {
  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
  if (c >= w / 2 || r >= h / 2) return;
  __half2 m = __hmax2(x[2 * r * (w / 2) + c], x[(2 * r + 1) * (w / 2) + c]);
  y[r * (w / 2) + c] = __hmax(__low2half(m), __high2half(m));
}
__global__ void avg_pool(const float2 *x, float *y, int h, int w) {
  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
  if (c >= w / 2 || r >= h / 2) return;
  float2 a = x[2 * r * (w / 2) + c], b = x[(2 * r + 1) * (w / 2) + c];
  y[r * (w / 2) + c] = 0.25f * (a.x + a.y + b.x + b.y);
}
// The mean of what there is, where the window reaches beyond the border.
__global__ void avg_pool_counted(const float *x, float *y, int h, int w) {
  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
  if (c >= w || r >= h) return;
  float sum = 0.0f;
  int count = 0;
  for (int a = max(r - 1, 0); a <= min(r + 1, h - 1); ++a)
    for (int b = max(c - 1, 0); b <= min(c + 1, w - 1); ++b) {
      sum += x[a * w + b];
      ++count;
    }
  y[r * w + c] = sum / count;
}
__global__ void lp_pool(const float *x, float *y, int h, int w) {
  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
  if (c >= w / 2 || r >= h / 2) return;
  float sum = 0.0f;
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 2; ++b) {
      float v = x[(2 * r + a) * w + 2 * c + b];
      sum += v * v;
    }
  y[r * (w / 2) + c] = sqrtf(sum);
}
template <bool Largest>
__global__ void adaptive(const float *x, float *y, int rows, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * m) return;
  int row = i / m, k = i % m, first = k * n / m, last = ((k + 1) * n + m - 1) / m;
  float found = Largest ? -INFINITY : 0.0f;
  for (int j = first; j < last; ++j) {
    if (Largest)
      found = fmaxf(found, x[row * n + j]);
    else
      found += x[row * n + j];
  }
  y[i] = Largest ? found : found / (last - first);
}
// The largest of a plane, by a block that talks through shuffles and shared memory.
__global__ void global_max_pool(const float *x, float *y, int h, int w) {
  __shared__ float found[2];
  float m = -INFINITY;
  for (int i = threadIdx.x; i < h * w; i += blockDim.x) m = fmaxf(m, x[i]);
  for (int k = 16; k > 0; k >>= 1) m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, k));
  if (threadIdx.x % 32 == 0) found[threadIdx.x / 32] = m;
  __syncthreads();
  if (threadIdx.x == 0) y[0] = fmaxf(found[0], found[1]);
}
// Erosion and dilation with a ball, as morphology has them.
__global__ void dilation(const float *x, const float *w, float *y, int n, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > n - k) return;
  float m = -INFINITY;
  for (int j = 0; j < k; ++j) m = fmaxf(m, x[i + j] + w[j]);
  y[i] = m;
}
