// k(x, y)
// CP0016
double twice(double x) { return 2 * x; }
__global__ void k(const double *x, double *y) { y[threadIdx.x] = twice(x[threadIdx.x]); }
