// k(all)
// CP0312
struct All {
  const double *x;
  double *y;
  double factor;
};
__global__ void k(All all) { all.y[threadIdx.x] = all.factor * all.x[threadIdx.x]; }
