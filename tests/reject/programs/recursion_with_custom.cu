// k(x, y)
// CP0220: what a function with a derivative of its own writes is not put back.
__device__ void scale(double *p, double s) { *p *= s; }
namespace cladpy { namespace custom_derivatives {
__device__ inline void scale_pullback(double *p, double s, double *d_p, double *d_s) { *d_s += *p * *d_p; *d_p *= s; }
} }
__device__ void fill(const double *x, double *y, int n) {
  if (n < 0) return;
  scale(y + n, x[n]);
  fill(x, y, n - 1);
}
__global__ void k(double *x, double *y, int n) { fill(x, y, n); }
