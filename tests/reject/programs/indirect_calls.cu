// k(x, y)
// CP0105
__device__ double square(double x) { return x * x; }
__device__ double cube(double x) { return x * x * x; }
__device__ float narrow(float x) { return x; }
__device__ double (*of_the_device)(double) = square;
__device__ double (*picked(int which))(double) { return which ? square : cube; }
__global__ void k(const double *x, double *y, int which) {
  double (*table[2])(double) = {square, cube};
  if (which > 1) table[0] = cube;
  double (*chosen)(double) = which ? square : cube;
  double (**led)(double) = &chosen;
  double (&bound)(double) = which ? square : cube;
  y[1] = picked(which)(x[0]) + of_the_device(x[1]) + bound(x[2]);
  chosen = (double (*)(double))narrow;
  y[2] = (unsigned long)chosen;
  y[0] = table[which](x[0]);
}
