// k(x, y)
// CP0205
struct Row {
  double *values;
};
__global__ void k(double *x, double *y) {
  __shared__ Row rows[32];
  rows[threadIdx.x].values = x;
  __syncthreads();
  y[threadIdx.x] = rows[31 - threadIdx.x].values[0];
}
