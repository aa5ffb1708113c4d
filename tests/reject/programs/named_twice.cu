// k(x, y, x)
// CP0306
__global__ void k(double *x, double *y) { y[0] = x[0]; }
