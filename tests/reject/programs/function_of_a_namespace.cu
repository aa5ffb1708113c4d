// advect(x, y)
// CP0002
namespace flow { __global__ void advect(const double *x, double *y) { y[0] = x[0] * x[0]; } }
__global__ void adjust(double *x) { x[0] *= 2; }
