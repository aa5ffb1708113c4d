// k(x, y)
// CP0230
union Arrays {
  float v[2];
  float w[2];
};
__global__ void k(const Arrays *x, float *y) { y[threadIdx.x] = x[threadIdx.x].v[1]; }
