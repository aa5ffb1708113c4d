// k(x, y)
// CP0232
struct Pair {
  double value;
  float kind, rest;
};
__global__ void k(double *x, double *y) {
  Pair *pairs = reinterpret_cast<Pair *>(x);
  y[0] = x[0] * pairs[1].kind;
}
