// k(x, y)
// CP0272
__global__ void k(const double *x, double *y) { y[0] = x[0] * clock64(); }
