// k(x, y)
// CP0232
struct Parts {
  unsigned low : 4, high : 28;
};
__global__ void k(const double *x, double *y) {
  y[threadIdx.x] = x[threadIdx.x] * ((const Parts *)x)->low;
}
