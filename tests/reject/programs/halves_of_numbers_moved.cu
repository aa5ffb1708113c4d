// k(x, y)
// CP0232
struct Triple {
  float x, y, z;
};
__global__ void k(const double *x, Triple *y) {
  y[threadIdx.x] = ((const Triple *)x)[threadIdx.x];
}
