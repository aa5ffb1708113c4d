// k(x, y)
// CP0238
struct Slice {
  const double *data;
  double by;
};
__device__ Slice made(double by) { return Slice{nullptr, by}; }
namespace cladpy { namespace custom_derivatives {
__device__ inline void made_pullback(double by, Slice d_result, double *d_by) { *d_by += d_result.by; }
} }
__global__ void k(const double *x, double *y) { y[0] = made(x[0]).by; }
