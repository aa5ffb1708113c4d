// k(rows, y)
// CP0210: where each pointer leads is memory's to say.
__global__ void k(double **rows, double *y, int n) {
  int i = threadIdx.x;
  if (i < n && rows[i] != nullptr) y[i] = rows[i][0];
}
