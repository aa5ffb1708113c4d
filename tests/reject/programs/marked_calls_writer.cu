// k(x, y)
// CP0404
#define nondifferentiable __attribute__((annotate("nondifferentiable")))
__device__ void set(double *p, double x) { *p = x; }
nondifferentiable __device__ void outer(double *p, double x) { set(p, x * x); }
__global__ void k(double *x, double *y) {
  outer(y, x[0]);
  y[0] += x[0];
}
