template <bool Fresh>
__global__ void blockred_back(const double *x, double *d_x, double *d_y) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const double d = d_y[blockIdx.x];
  give<Fresh>(d_x[i], 2.0 * x[i] * d);
  if (!Fresh) {
    __syncthreads();
    if (threadIdx.x == 0) d_y[blockIdx.x] = 0.0;
  }
}

template <bool Fresh>
void blockred_by_hand(const at &a, const double *x, double *, int, double *d_x, double *d_y) {
  LAUNCH(a, (blockred_back<Fresh>), x, d_x, d_y);
}

template <bool Fresh>
__global__ void ctasync_back(const double *x, double *d_x, double *d_y) {
  __shared__ double values[1024], cotangents[1024];
  const int t = static_cast<int>(threadIdx.x), i = static_cast<int>(blockIdx.x * blockDim.x) + t;
  values[t] = x[i];
  const double d = cotangents[t] = d_y[i];
  __syncthreads();
  give<Fresh>(d_x[i], (d + cotangents[1023 - t]) * values[1023 - t]);
  spend<Fresh>(d_y[i]);
}

template <bool Fresh>
void ctasync_by_hand(const at &a, const double *x, double *, double *d_x, double *d_y) {
  LAUNCH(a, (ctasync_back<Fresh>), x, d_x, d_y);
}

template <bool Fresh>
__global__ void wsync_back(const double *x, double *d_x, double *d_y) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), mirrored = 31 - static_cast<int>(threadIdx.x);
  const double d = d_y[i];
  const double other = __shfl_sync(0xffffffffu, d, mirrored), value = __shfl_sync(0xffffffffu, x[i], mirrored);
  give<Fresh>(d_x[i], (d + other) * value);
  spend<Fresh>(d_y[i]);
}

template <bool Fresh>
void wsync_by_hand(const at &a, const double *x, double *, double *d_x, double *d_y) {
  LAUNCH(a, (wsync_back<Fresh>), x, d_x, d_y);
}
