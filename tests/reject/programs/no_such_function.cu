// kernle(x, y)
// CP0002
__global__ void kernel(double *x, double *y) { y[0] = x[0]; }
