// What follows an `if` that returns moves into the other branch; no flag is needed.
__global__ void k(double *x, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  x[i] *= 2;
}
