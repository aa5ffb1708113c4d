// A warp takes many rows, one after the other, and keeps its sums for the weights in shared memory: its own columns, so that
// nothing is atomic. Blocks write theirs to global memory, where they are added up.

const int WARPS = 8, RESIDENT = 528;

template <bool Fresh, bool Layer>
__global__ void __launch_bounds__(32 * WARPS)
    norm_back(const float *x, const float *w, int rows, int columns, float *d_y, float *d_x, float *sums) {
  extern __shared__ float own[];  // of each warp: for w, and for b
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  constexpr int Kinds = Layer ? 2 : 1;
  float *of_w = own + warp * Kinds * columns, *of_b = of_w + columns;
  for (int c = lane; c < Kinds * columns; c += 32) of_w[c] = 0.0f;
  for (int row = static_cast<int>(blockIdx.x) * WARPS + warp; row < rows; row += static_cast<int>(gridDim.x) * WARPS) {
    const size_t first = static_cast<size_t>(row) * columns;
    float mean = 0.0f;
    if (Layer) {
      float sum = 0.0f;
      for (int c = lane; c < columns; c += 32) sum += x[first + c];
      mean = warp_sum(sum) / columns;
    }
    float squares = 0.0f, products = 0.0f, cotangents = 0.0f;
    for (int c = lane; c < columns; c += 32) {
      const float v = x[first + c] - mean, g = d_y[first + c] * w[c];
      squares += v * v;
      products += v * g;
      cotangents += g;
    }
    const float scale = rsqrtf(warp_sum(squares) / columns + 1e-5f);
    const float along = warp_sum(products) / columns * scale * scale;
    const float shared = Layer ? warp_sum(cotangents) / columns : 0.0f;
    for (int c = lane; c < columns; c += 32) {
      const float v = x[first + c] - mean, d = d_y[first + c];
      of_w[c] += d * v * scale;
      if (Layer) of_b[c] += d;
      give<Fresh>(d_x[first + c], scale * (d * w[c] - shared - v * along));
      spend<Fresh>(d_y[first + c]);
    }
  }
  __syncthreads();
  for (int c = static_cast<int>(threadIdx.x); c < Kinds * columns; c += static_cast<int>(blockDim.x)) {
    float sum = 0.0f;
    for (int k = 0; k < WARPS; k++) sum += own[k * Kinds * columns + c];
    sums[static_cast<size_t>(blockIdx.x) * Kinds * columns + c] = sum;
  }
}

// A block adds up 32 columns of what the blocks before it wrote.
template <bool Fresh>
__global__ void add_up_columns(const float *sums, int count, int columns, int stride, float *d) {
  __shared__ float parts[32][33];
  const int tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y);
  const int c = static_cast<int>(blockIdx.x) * 32 + tx;
  float sum = 0.0f;
  if (c < columns)
    for (int k = ty; k < count; k += 32) sum += sums[static_cast<size_t>(k) * stride + c];
  parts[ty][tx] = sum;
  __syncthreads();
  sum = warp_sum(parts[tx][ty]);
  const int out = static_cast<int>(blockIdx.x) * 32 + ty;
  if (tx == 0 && out < columns) give<Fresh>(d[out], sum);
}

template <bool Fresh, bool Layer>
float *norm_rows(const at &a, const float *x, const float *w, int rows, int columns, float *d_y, float *d_x, int &count) {
  constexpr int Kinds = Layer ? 2 : 1;
  count = (rows + WARPS - 1) / WARPS < RESIDENT ? (rows + WARPS - 1) / WARPS : RESIDENT;
  float *sums = static_cast<float *>(scratch(sizeof(float) * RESIDENT * Kinds * columns));
  const size_t shared = sizeof(float) * WARPS * Kinds * columns;
  auto kernel = norm_back<Fresh, Layer>;
  (void)cudaFuncSetAttribute(reinterpret_cast<const void *>(kernel), cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(shared));
  LAUNCH_AS(a, count, 32 * WARPS, shared, kernel, x, w, rows, columns, d_y, d_x, sums);
  return sums;
}

template <bool Fresh>
void layer_norm_by_hand(const at &a, float *, const float *x, const float *w, const float *, int rows, int columns,
                        float *d_y, float *d_x, float *d_w, float *d_b) {
  int count;
  const float *sums = norm_rows<Fresh, true>(a, x, w, rows, columns, d_y, d_x, count);
  LAUNCH_AS(a, (columns + 31) / 32, dim3(32, 32), 0, (add_up_columns<Fresh>), sums, count, columns, 2 * columns, d_w);
  LAUNCH_AS(a, (columns + 31) / 32, dim3(32, 32), 0, (add_up_columns<Fresh>), sums + columns, count, columns,
            2 * columns, d_b);
}

template <bool Fresh>
void rms_norm_by_hand(const at &a, float *, const float *x, const float *w, int rows, int columns, float *d_y,
                      float *d_x, float *d_w) {
  int count;
  const float *sums = norm_rows<Fresh, false>(a, x, w, rows, columns, d_y, d_x, count);
  LAUNCH_AS(a, (columns + 31) / 32, dim3(32, 32), 0, (add_up_columns<Fresh>), sums, count, columns, columns, d_w);
}
