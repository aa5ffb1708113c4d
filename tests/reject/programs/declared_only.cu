// k(x, y)
// CP0005
__global__ void k(double *x, double *y);
