// k(x, y)
// CP0405
#define nondifferentiable __attribute__((annotate("nondifferentiable")))
struct Pair {
  double a, b;
};
nondifferentiable __device__ void put(Pair *to, const Pair &from) { *to = from; }
__global__ void k(const double *x, Pair *y) {
  Pair p = {x[0], x[1]};
  put(y, p);
  y->a += x[0];
}
