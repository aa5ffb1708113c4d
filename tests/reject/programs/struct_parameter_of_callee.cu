// k(x, y)
// The struct is refused where it is declared; nothing else is said about its uses.
struct Pair { double a, b; };
__device__ double product(Pair p) { return p.a * p.b; }
__global__ void k(double *x, double *y) {
  Pair p{x[0], x[1]};
  y[0] = product(p);
}
