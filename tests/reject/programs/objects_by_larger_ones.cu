// k(x, y)
// CP0232
struct Pair {
  float x, y;
};
struct Triple {
  float x, y, z;
};
__global__ void k(const Pair *x, float *y) {
  const Triple *triples = (const Triple *)x;
  y[threadIdx.x] = ((const float *)triples)[threadIdx.x];
}
