// Neighbours around the edge of a periodic box. Where each population comes from one neighbour, no two threads come to one
// element; where a cell is read by several neighbours, they do.

#define GX (blockIdx.x * blockDim.x + threadIdx.x)
#define GY (blockIdx.y * blockDim.y + threadIdx.y)

__device__ int wrapped(int at, int n) { return at < 0 ? at + n : at >= n ? at - n : at; }

// Three populations, each moved along by one. Rows are those of the launch: whether they are more than `ny`, nobody asks.
__global__ void streamed(const double *f, double *g, int nx, int ny) {
  int x = GX, y = blockIdx.y, n = nx * ny;
  if (x >= nx) return;
  double rest = f[y * nx + x], east = f[n + y * nx + wrapped(x - 1, nx)], north = f[2 * n + wrapped(y + 1, ny) * nx + x];
  double all = rest + east * north;
  for (int q = 0; q < 3; ++q) atomicAdd(&g[q * n + wrapped(y, ny) * nx + x], all * (q + 1));
}

// As a ring is written by hand, in one array each.
__global__ void rings(const double *a, const double *b, const double *c, double *y, int n) {
  int i = GX;
  if (i >= n) return;
  int left = i == 0 ? n - 1 : i - 1, right = i != n - 1 ? i + 1 : 0;
  atomicAdd(y, a[left] * a[left] * b[right] + sin(c[(i + n - 1) % n]));
}

// Both neighbours of one array: an element is read twice.
__global__ void both_sides(const double *x, double *y, int n) {
  int i = GX;
  if (i < n) atomicAdd(y, x[wrapped(i - 1, n)] * x[wrapped(i + 1, n)]);
}

// The period is shorter than the row: the last element comes back as the one before the first is.
__global__ void short_period(const double *x, double *y, int n) {
  int i = GX;
  if (i < n) atomicAdd(y, exp(x[i == 0 ? n - 2 : i - 1]) + x[i % (n - 1)]);
}
