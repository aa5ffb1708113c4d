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

// What the loops find is not used: counters, and bits of numbers that have no adjoint.
__global__ void counters_by_swaps(const double *x, double *y, int *counts, float *sizes, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int seen = counts[0], assumed, tried = 0;
  do {
    assumed = seen;
    seen = atomicCAS(counts, assumed, assumed + 1);
  } while (seen != assumed || assumed != seen);
  seen = counts[1];
  do {
    assumed = seen;
    if (assumed < i) seen = atomicCAS(counts + 1, assumed, i);
    tried++;
  } while (assumed != seen && tried < n);
  do {
    assumed = seen;
    seen = atomicCAS(counts + 1, assumed, i);
  } while (!(assumed == seen));
  int *bits = (int *)sizes;
  do {
    assumed = seen;
    seen = atomicCAS(bits, assumed, assumed + 8388608);  // twice the size
  } while (assumed != seen);
  y[i] = x[i] * x[i];
}

// No loops of this kind, and no maxima either: what is compared with is not what the cell held.
__global__ void other_swaps(const double *x, double *y, int *flags, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int seen = 0, given = 0;
  for (int k = 0; k < 2; k++) {
    given = atomicCAS(flags, seen, i);
    seen = given + 1;
  }
  for (int k = 0; k < 2; k++) {
    if (seen < i) given = atomicCAS(flags, given, i);
    else given = k;
  }
  y[i] = x[i] * x[i];
}
