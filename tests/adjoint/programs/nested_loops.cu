// The inner loop's frames are made when its iteration of the outer loop is reversed: a sum of trip counts, no product.
__global__ void k(const double *x, const double *w, double *y) {
  double v = x[threadIdx.x];
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 4; ++j) v = v * v + w[j];
    v = cos(v);
  }
  y[threadIdx.x] = v;
}
