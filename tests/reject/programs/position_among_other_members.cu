// k(x, y)
// CP0232
struct Row {
  double a, v[3];
  int k, l;
};
__global__ void k(const Row *x, double *y, int i) { y[threadIdx.x] = ((const double *)x)[i]; }
