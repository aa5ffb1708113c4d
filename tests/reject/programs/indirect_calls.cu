// k(x, y)
// CP0105
__device__ double square(double x) { return x * x; }
__device__ double cube(double x) { return x * x * x; }
__device__ double applied(double (*f)(double), double x) { return f(x); }
__global__ void k(const double *x, double *y, int which) {
  double (*chosen)(double) = which ? square : cube;
  double (*table[2])(double) = {square, cube};
  if (which > 1) table[0] = cube;
  y[0] = chosen(x[0]) + table[which](x[0]) + applied(&cube, x[0]);
}
