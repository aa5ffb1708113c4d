// Matrix products by tiles, with tails, in the ways that they are made fast.

// Tails by guards; a bias and a nonlinearity at the end.
template <int TILE>
__global__ void linear_layer(const double *x, const double *w, const double *bias, double *y, int rows, int inner,
                             int columns) {
  __shared__ double xs[TILE][TILE];
  __shared__ double ws[TILE][TILE + 1];
  int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  double sum = 0.0;
  for (int start = 0; start < inner; start += TILE) {
    xs[threadIdx.y][threadIdx.x] =
        row < rows && start + threadIdx.x < inner ? x[row * inner + start + threadIdx.x] : 0.0;
    ws[threadIdx.y][threadIdx.x] =
        column < columns && start + threadIdx.y < inner ? w[column * inner + start + threadIdx.y] : 0.0;
    __syncthreads();
    for (int k = 0; k < TILE; ++k) sum += xs[threadIdx.y][k] * ws[k][threadIdx.x];
    __syncthreads();
  }
  if (row >= rows || column >= columns) return;
  sum += bias[column];
  y[row * columns + column] = sum > 0.0 ? sum : 0.1 * (exp(sum) - 1.0);
}

// The next tile is loaded while the present one is used.
__global__ void double_buffered(const double *A, const double *B, double *C, int n) {
  const int T = 8;
  __shared__ double a[2][T][T], b[2][T][T];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * T + ty, column = blockIdx.x * T + tx;
  int tiles = n / T;
  a[0][ty][tx] = A[row * n + tx];
  b[0][ty][tx] = B[ty * n + column];
  __syncthreads();
  double sum = 0.0;
  for (int t = 0; t < tiles; ++t) {
    int now = t & 1;
    if (t + 1 < tiles) {
      a[now ^ 1][ty][tx] = A[row * n + (t + 1) * T + tx];
      b[now ^ 1][ty][tx] = B[((t + 1) * T + ty) * n + column];
    }
#pragma unroll
    for (int k = 0; k < T; ++k) sum += a[now][ty][k] * b[now][k][tx];
    __syncthreads();
  }
  C[row * n + column] = sum;
}

// The next tile waits in registers.
__global__ void prefetched(const double *A, const double *B, double *C, int n) {
  const int T = 8;
  __shared__ double a[T][T], b[T][T];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * T + ty, column = blockIdx.x * T + tx;
  double next_a = A[row * n + tx], next_b = B[ty * n + column], sum = 0.0;
  for (int t = 0; t < n; t += T) {
    a[ty][tx] = next_a;
    b[ty][tx] = next_b;
    __syncthreads();
    if (t + T < n) {
      next_a = A[row * n + t + T + tx];
      next_b = B[(t + T + ty) * n + column];
    }
    for (int k = 0; k < T; ++k) sum += a[ty][k] * b[k][tx];
    __syncthreads();
  }
  C[row * n + column] = sum;
}

// Four numbers at a time, four results per thread in registers.
__global__ void by_vectors(const float *A, const float *B, float *C, int m, int n, int k, float alpha, float beta) {
  __shared__ float a[8][16], b[8][16];  // a is transposed
  int tid = threadIdx.x;                // 16 threads: 4 by 4, each 4 by 4 results
  int tx = tid % 4, ty = tid / 4;
  float sums[4][4] = {};
  for (int start = 0; start < k; start += 8) {
    for (int q = tid; q < 32; q += 16) {
      int row = q / 2, column = q % 2 * 4;
      float4 v = *reinterpret_cast<const float4 *>(&A[(blockIdx.y * 16 + row) * k + start + column]);
      a[column][row] = v.x;
      a[column + 1][row] = v.y;
      a[column + 2][row] = v.z;
      a[column + 3][row] = v.w;
      row = q / 4;
      column = q % 4 * 4;
      *reinterpret_cast<float4 *>(&b[row][column]) =
          *reinterpret_cast<const float4 *>(&B[(start + row) * n + blockIdx.x * 16 + column]);
    }
    __syncthreads();
    for (int i = 0; i < 8; ++i) {
      float left[4], right[4];
      for (int r = 0; r < 4; ++r) left[r] = a[i][ty * 4 + r];
      for (int c = 0; c < 4; ++c) right[c] = b[i][tx * 4 + c];
#pragma unroll
      for (int r = 0; r < 4; ++r)
#pragma unroll
        for (int c = 0; c < 4; ++c) sums[r][c] += left[r] * right[c];
    }
    __syncthreads();
  }
  for (int r = 0; r < 4; ++r) {
    float4 *place = reinterpret_cast<float4 *>(&C[(blockIdx.y * 16 + ty * 4 + r) * n + blockIdx.x * 16 + tx * 4]);
    float4 old = *place;
    old.x = alpha * sums[r][0] + beta * old.x;
    old.y = alpha * sums[r][1] + beta * old.y;
    old.z = alpha * sums[r][2] + beta * old.z;
    old.w = alpha * sums[r][3] + beta * old.w;
    *place = old;
  }
}

// The symmetric product of a matrix with itself: both tiles come from one matrix.
__global__ void with_itself(const double *A, double *C, int n, int k) {
  extern __shared__ double tiles[];
  int T = blockDim.x, tx = threadIdx.x, ty = threadIdx.y;
  double *left = tiles, *right = tiles + T * T;
  int row = blockIdx.y * T + ty, column = blockIdx.x * T + tx;
  double sum = 0.0;
  for (int start = 0; start < k; start += T) {
    left[ty * T + tx] = row < n && start + tx < k ? A[row * k + start + tx] : 0.0;
    right[ty * T + tx] = blockIdx.x * T + ty < n && start + tx < k ? A[(blockIdx.x * T + ty) * k + start + tx] : 0.0;
    __syncthreads();
    for (int i = 0; i < T; ++i) sum += left[ty * T + i] * right[tx * T + i];
    __syncthreads();
  }
  if (row < n && column < n) C[row * n + column] = sum;
}

// Rows of a matrix times a vector: a block per row, the vector through shared memory in pieces.
__global__ void row_times_vector(const double *A, const double *v, double *y, int n) {
  __shared__ double piece[64];
  __shared__ double sums[64];
  int tid = threadIdx.x;
  double sum = 0.0;
  for (int start = 0; start < n; start += 64) {
    for (int i = tid; i < 64; i += blockDim.x) piece[i] = start + i < n ? v[start + i] : 0.0;
    __syncthreads();
    for (int i = tid; i < 64 && start + i < n; i += blockDim.x) sum += A[blockIdx.x * n + start + i] * piece[i];
    __syncthreads();
  }
  sums[tid] = sum;
  __syncthreads();
  if (tid == 0) {
    double all = 0.0;
    for (int i = 0; i < blockDim.x; ++i) all += sums[i];
    y[blockIdx.x] = tanh(all);
  }
}

// Through a tile with a column to spare, so that both sides are read in rows.
__global__ void transposed(const double *x, double *y, int width, int height) {
  __shared__ double tile[16][17];
  int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  for (int j = 0; j < 16; j += blockDim.y)
    if (column < width && row + j < height)
      tile[threadIdx.y + j][threadIdx.x] = x[(row + j) * width + column] * x[(row + j) * width + column];
  __syncthreads();
  column = blockIdx.y * 16 + threadIdx.x;
  row = blockIdx.x * 16 + threadIdx.y;
  for (int j = 0; j < 16; j += blockDim.y)
    if (column < height && row + j < width) y[(row + j) * height + column] = tile[threadIdx.x][threadIdx.y + j];
}

// A filter over an image, with a frame of neighbours around the tile and several channels.
__global__ void convolution(const double *image, const double *filter, double *out, int width, int height,
                            int channels) {
  const int R = 1, T = 8;
  __shared__ double tile[T + 2 * R][T + 2 * R];
  __shared__ double weights[2 * R + 1][2 * R + 1];
  int column = blockIdx.x * T + threadIdx.x, row = blockIdx.y * T + threadIdx.y;
  int tid = threadIdx.y * T + threadIdx.x;
  double sum = 0.0;
  for (int c = 0; c < channels; ++c) {
    for (int k = tid; k < (T + 2 * R) * (T + 2 * R); k += T * T) {
      int r = (int)(blockIdx.y * T) + k / (T + 2 * R) - R, q = (int)(blockIdx.x * T) + k % (T + 2 * R) - R;
      bool inside = r >= 0 && r < height && q >= 0 && q < width;
      tile[k / (T + 2 * R)][k % (T + 2 * R)] = inside ? image[(c * height + r) * width + q] : 0.0;
    }
    if (tid < 9) weights[tid / 3][tid % 3] = filter[c * 9 + tid];
    __syncthreads();
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) sum += weights[i][j] * tile[threadIdx.y + i][threadIdx.x + j];
    __syncthreads();
  }
  if (column < width && row < height) out[row * width + column] = fmax(sum, 0.0);
}

// All pairs by tiles. Threads beyond the end sit at the origin, where others may be: what they see is discarded.
__global__ void pairs_by_tiles(float *e, const float *x, const float *w, int n) {
  __shared__ float places[32], weights[32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float own = i < n ? x[i] : 0.0f;
  float sum = 0.0f;
  for (int first = 0; first < n; first += blockDim.x) {
    const int j = first + threadIdx.x;
    places[threadIdx.x] = j < n ? x[j] : 0.0f;
    weights[threadIdx.x] = j < n ? w[j] : 0.0f;
    __syncthreads();
    for (int k = 0; k < blockDim.x; k++) {
      const float apart = places[k] - own;
      const float far = rsqrtf(apart * apart + 0.01f * own);
      sum += weights[k] * far * far * far * apart;
    }
    __syncthreads();
  }
  if (i < n) e[i] = sum;
}
