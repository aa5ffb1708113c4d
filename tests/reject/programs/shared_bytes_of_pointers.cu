// k(x, y)
// CP0205
struct Row {
  const double *values;
};
__global__ void k(const double *x, double *y) {
  __shared__ __align__(8) char memory[32 * sizeof(Row)];
  Row *rows = (Row *)memory;
  rows[threadIdx.x].values = x;
  __syncthreads();
  y[threadIdx.x] = rows[31 - threadIdx.x].values[0];
}
