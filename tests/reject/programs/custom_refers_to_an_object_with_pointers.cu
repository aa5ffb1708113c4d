// k(x, y)
// CP0238
struct Slice {
  const double *data;
  double by;
};
__device__ double twice(Slice &s) { return 2 * s.by; }
namespace cladpy { namespace custom_derivatives {
__device__ inline void twice_pullback(Slice &s, double d_result, Slice *d_s) { d_s->by += 2 * d_result; }
} }
__global__ void k(const double *x, double *y) {
  Slice s = {x, x[0]};
  y[0] = twice(s);
}
