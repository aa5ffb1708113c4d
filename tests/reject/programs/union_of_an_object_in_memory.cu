// k(x, y)
// CP0230
struct Pair {
  float a, b;
};
union Seen {
  float v[2];
  Pair pair;
};
__global__ void k(const Seen *x, float *y) { y[threadIdx.x] = x[threadIdx.x].v[1] * x[threadIdx.x].pair.a; }
