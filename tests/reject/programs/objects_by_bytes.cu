// k(x, y)
// CP0232
struct Vec {
  double x, y, z;
};
__global__ void k(const Vec *x, double *y, int pitch) {
  const Vec *row = (const Vec *)((const char *)x + threadIdx.x * pitch);
  y[threadIdx.x] = row->x;
}
