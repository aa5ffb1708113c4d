// k(v, y)
// CP0235
struct Vec {
  double x, y, z;
};
__global__ void k(Vec *v, double *y) {
  double &first = v[0].x;
  double *all = &first;
  y[0] = all[1] * all[2];
}
