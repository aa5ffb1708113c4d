// Sums over products of two matrices' elements, by what leads to these: directly, through tiles, with what follows.

// c[rows][columns] = a[rows][depth] b[depth][columns]
__global__ void plain(const float *a, const float *b, float *c, int rows, int columns, int depth) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && column < columns) {
    float sum = 0.0f;
    for (int k = 0; k < depth; k++) sum += a[row * depth + k] * b[k * columns + column];
    c[row * columns + column] = sum;
  }
}

// The second factor transposed, with a factor and a function of the sum.
__global__ void squashed(const double *a, const double *b, double *c, double alpha, int rows, int columns, int depth) {
  int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows || column >= columns) return;
  double sum = 0.0;
  for (int k = 0; k < depth; k++) sum += a[row * depth + k] * b[column * depth + k];
  c[row * columns + column] = tanh(alpha * sum);
}

// The first factor transposed; what was there before is a part of the result.
__global__ void added(const double *a, const double *b, double *c, double beta, int rows, int columns, int depth) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column < columns && row < rows) {
    double sum = beta * c[row * columns + column];
    for (int k = depth - 1; k >= 0; k--) sum = fma(a[k * rows + row], b[k * columns + column], sum);
    c[row * columns + column] = sum;
  }
}

// Batches along z, which share the second factor where `stride` is 0.
__global__ void batches(const double *a, const double *b, double *c, int rows, int columns, int depth, int stride) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y, of = blockIdx.z;
  if (column >= columns) return;
  if (row >= rows) return;
  double sum = 0;
  for (int k = 0; k < depth; ++k)
    sum += a[(of * rows + row) * depth + k] * b[of * stride + k * columns + column];
  c[(of * rows + row) * columns + column] = sum;
}

// Rows along two axes, and a sum over two counters that are not one.
__global__ void heads(const double *q, const double *w, double *out, int n, int channels, int width, int pitch) {
  int channel = threadIdx.x, i = blockIdx.y, head = blockIdx.z;
  double sum = 0;
  for (int c = 0; c < channels; c++)
    for (int k = 0; k < width; k++)
      sum += q[(head * n + i) * channels * pitch + c * pitch + k] * w[(c * width + k) * blockDim.x + channel];
  out[(head * n + i) * blockDim.x + channel] = sum;
}

// One matrix with itself, and with what it is added to.
__global__ void gram(const double *x, double *out, int n, int depth) {
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && j < n) {
    double sum = 0;
    for (int k = 0; k < depth; k++) sum += x[i * depth + k] * x[j * depth + k];
    out[i * n + j] = sum * sum + (j < depth ? x[i * depth + j] : 0.0);
  }
}

// Only the first products of a row count.
__global__ void part(const double *a, const double *b, double *c, int n, int depth, unsigned most) {
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && j < n) {
    double sum = 0;
    for (unsigned k = 0; k < unsigned(depth); k++)
      if (k < most) sum += a[i * depth + k] * b[k * n + j];
    c[i * n + j] = sum;
  }
}

#define TILE 8

// By tiles, with zeros beyond the edges; a bias, and the positive part.
__global__ void tiled(const float *a, const float *b, const float *bias, float *c, int rows, int columns, int depth) {
  __shared__ float as[TILE][TILE], bs[TILE][TILE + 1];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;
  float sum = 0.0f;
  for (int k0 = 0; k0 < depth; k0 += TILE) {
    as[ty][tx] = row < rows && k0 + tx < depth ? a[row * depth + k0 + tx] : 0.0f;
    if (k0 + ty < depth && column < columns)
      bs[ty][tx] = b[(k0 + ty) * columns + column];
    else
      bs[ty][tx] = 0.0f;
    __syncthreads();
    for (int k = 0; k < TILE; k++) sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  if (row < rows && column < columns) {
    float with_bias = sum + bias[column];
    c[row * columns + column] = with_bias > 0.0f ? with_bias : 0.0f;
  }
}

// The second factor lies transposed, and is turned in its tile; threads wait before they fill it again.
__global__ void turned(const double *a, const double *b, double *c, int columns, int tiles) {
  __shared__ double as[TILE][TILE], bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  double sum = 0;
  for (int t = 0; t < tiles; ++t) {
    __syncthreads();
    as[ty][tx] = a[(blockIdx.y * TILE + ty) * tiles * TILE + t * TILE + tx];
    bs[tx][ty] = b[(blockIdx.x * TILE + ty) * tiles * TILE + t * TILE + tx];
    __syncthreads();
    for (int k = 0; k < TILE; ++k) sum += as[ty][k] * bs[k][tx];
  }
  c[(blockIdx.y * TILE + ty) * columns + blockIdx.x * TILE + tx] = sum;
}

// Blocks of eight by four threads fill a tile in two turns.
__global__ void in_turns(const double *a, const double *b, double *c, int rows, int depth) {
  __shared__ double bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y, column = blockIdx.x * TILE + tx, row = blockIdx.y * 4 + ty;
  double sum = 0;
  for (int k0 = 0; k0 < depth; k0 += TILE) {
    for (int l = 0; l < TILE; l += 4) bs[ty + l][tx] = b[(k0 + ty + l) * gridDim.x * TILE + column];
    __syncthreads();
    for (int k = 0; k < TILE; ++k) sum += (row < rows ? a[row * depth + k0 + k] : 0.0) * bs[k][tx];
    __syncthreads();
  }
  if (row < rows) c[row * gridDim.x * TILE + column] = sum;
}
