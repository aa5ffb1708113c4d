// k(x, y)
// fresh=z
// consumed=w, y
// CP0309
__global__ void k(double *x, double *y, double *z) { y[0] = x[0] * z[0]; }
