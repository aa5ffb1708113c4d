__global__ void k(const double *u, double *v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;
  if (i < 1 || j < 1 || i >= n - 1 || j >= n - 1) return;
  double c = u[j * n + i];
  v[j * n + i] = c * (u[j * n + i - 1] + u[j * n + i + 1] + u[(j - 1) * n + i] + u[(j + 1) * n + i]);
}
