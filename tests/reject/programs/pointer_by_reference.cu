// k(x, y)
// CP0222
__device__ void add(double *&p, double s) { *p++ += s; }
namespace cladpy { namespace custom_derivatives {
__device__ inline void add_pullback(double *&p, double s, double **, double *d_s) { *d_s += p[-1]; }
} }
__global__ void k(const double *x, double *y) {
  double *p = y;
  add(p, x[0]);
}
