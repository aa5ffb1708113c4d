// k(x, y)
// CP0224
__global__ void k(double *x, double *y) { memcpy(y, x, 8 * sizeof(double)); }
