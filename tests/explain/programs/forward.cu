// A recursive function that writes is called as a forward function, and undone by what that keeps.
__device__ void fill(double *area, double *mark, int at) {
  if (at < 0 || mark[at] > 0.5) return;
  mark[at] = 1;
  *area += mark[at] * at;
  fill(area, mark, at - 1);
  fill(area, mark, at - 2);
}

__global__ void k(double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double mark[2] = {x[i]}, area = x[i];
  fill(&area, mark, 1);
  y[i] = area * x[i];
}
