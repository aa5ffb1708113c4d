// Additions by loops that compare and swap, and read what they add inside of the loop.

__global__ void read_inside(const double *x, const int *to, double *bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned long long *cell = (unsigned long long *)&bins[to[i]];
  unsigned long long old = *cell, assumed;
  do {
    assumed = old;
    old = atomicCAS(cell, assumed, __double_as_longlong(x[i] * x[(i + 1) % n] + __longlong_as_double(assumed)));
  } while (assumed != old);
}
