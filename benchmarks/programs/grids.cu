// Stencils in two dimensions.

// n x n, a row of blocks for each row.
__global__ void stencil(const double *u, double *v, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), j = static_cast<int>(blockIdx.y);
  if (i < 1 || j < 1 || i >= n - 1 || j >= n - 1) return;
  const double c = u[j * n + i];
  const double around = u[j * n + i - 1] + u[j * n + i + 1] + u[(j - 1) * n + i] + u[(j + 1) * n + i];
  v[j * n + i] = c + 0.1 * (around - 4 * c) * c;
}

// W x H, by tiles.
__global__ void heat(double *out, const double *u, int W, int H) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int j = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (i > 0 && j > 0 && i < W - 1 && j < H - 1) {
    const int c = j * W + i;
    out[c] = u[c] + 0.1 * (u[c - 1] + u[c + 1] + u[c - W] + u[c + W] - 4.0 * u[c]) + 0.01 * u[c] * u[c];
  }
}
