// k(x, v)
// CP0222: of which objects a pointer changes is not known.
struct Vec {
  double x, y;
};
__device__ void doubled(Vec *v, int n) {
  for (int i = 0; i < n; ++i) v[i].x *= 2;
}
namespace cladpy { namespace custom_derivatives {
__device__ inline void doubled_pullback(Vec *v, int n, Vec *d_v) {
  for (int i = 0; i < n; ++i) d_v[i].x *= 2;
}
} }
__global__ void k(const double *x, Vec *v) {
  v[0].y = x[0];
  doubled(v, 1);
}
