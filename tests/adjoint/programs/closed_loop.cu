// The trip count has a closed form, and nothing in the loop needs to be kept: the product is linear in what is carried.
__global__ void k(const double *x, double *y, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) s += x[i];
  y[threadIdx.x] = s;
}
