// k(x, y)
// CP0205
struct Entry {
  double value;
  const double *where;
};
__global__ void k(const double *x, double *y) {
  extern __shared__ Entry entries[];
  entries[threadIdx.x].value = x[0];
  y[0] = entries[threadIdx.x].value;
}
