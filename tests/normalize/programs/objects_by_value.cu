// An array in an object that is passed by value, and is written to, is each thread's own: a local copy.
struct Pair {
  double v[2];
  const double *at;
};
__global__ void k(Pair p, double *y) {
  p.v[0] *= p.at[1];
  y[0] = p.v[0] + p.v[1];
}
