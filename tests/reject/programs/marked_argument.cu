// k(x, y)
// CP0315
#define nondifferentiable __attribute__((annotate("nondifferentiable")))
__global__ void k(nondifferentiable double *x, double *y) { y[0] = x[0]; }
