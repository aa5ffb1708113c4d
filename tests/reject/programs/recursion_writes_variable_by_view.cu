// k(y)
// CP0220: a variable at namespace scope, by way of an object.
struct Row {
  double *first;
  __device__ double &operator[](int i) { return first[i]; }
};
__device__ double state[8];
__device__ double walk(double x, int n) {
  Row row = {state};
  row[n] += x;
  return n > 0 ? walk(row[n] * x, n - 1) : row[n];
}
__global__ void k(double *y, int n) {
  int i = threadIdx.x;
  if (i < n) y[i] = walk(y[i], 3);
}
