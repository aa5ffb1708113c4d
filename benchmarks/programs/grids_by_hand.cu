// Every element gathers what it gave to its neighbours. Where cotangents are to be zeroed, that is a launch of its own:
// others read them before.

__global__ void zero_interior(double *d, int w, int h) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int j = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (i > 0 && j > 0 && i < w - 1 && j < h - 1) d[j * w + i] = 0.0;
}

__device__ __forceinline__ bool inside(int i, int j, int w, int h) {
  return i > 0 && j > 0 && i < w - 1 && j < h - 1;
}

template <bool Fresh>
__global__ void stencil_back(const double *u, int n, double *d_u, const double *d_v) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), j = static_cast<int>(blockIdx.y);
  if (i >= n) return;
  const int c = j * n + i;
  double sum = 0.0;
  if (inside(i, j, n, n)) {
    const double around = u[c - 1] + u[c + 1] + u[c - n] + u[c + n];
    sum = d_v[c] * (1.0 + 0.1 * (around - 4 * u[c]) - 0.4 * u[c]);
  }
  double near = 0.0;
  if (inside(i - 1, j, n, n)) near += d_v[c - 1] * u[c - 1];
  if (inside(i + 1, j, n, n)) near += d_v[c + 1] * u[c + 1];
  if (inside(i, j - 1, n, n)) near += d_v[c - n] * u[c - n];
  if (inside(i, j + 1, n, n)) near += d_v[c + n] * u[c + n];
  give<Fresh>(d_u[c], sum + 0.1 * near);
}

template <bool Fresh>
void stencil_by_hand(const at &a, const double *u, double *, int n, double *d_u, double *d_v) {
  LAUNCH(a, (stencil_back<Fresh>), u, n, d_u, d_v);
  if (!Fresh) LAUNCH(a, zero_interior, d_v, n, n);
}

template <bool Fresh>
__global__ void heat_back(const double *u, int w, int h, const double *d_out, double *d_u) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int j = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (i >= w || j >= h) return;
  const int c = j * w + i;
  double sum = inside(i, j, w, h) ? d_out[c] * (0.6 + 0.02 * u[c]) : 0.0;
  double near = 0.0;
  if (inside(i - 1, j, w, h)) near += d_out[c - 1];
  if (inside(i + 1, j, w, h)) near += d_out[c + 1];
  if (inside(i, j - 1, w, h)) near += d_out[c - w];
  if (inside(i, j + 1, w, h)) near += d_out[c + w];
  give<Fresh>(d_u[c], sum + 0.1 * near);
}

template <bool Fresh>
void heat_by_hand(const at &a, double *, const double *u, int w, int h, double *d_out, double *d_u) {
  LAUNCH(a, (heat_back<Fresh>), u, w, h, d_out, d_u);
  if (!Fresh) LAUNCH(a, zero_interior, d_out, w, h);
}
