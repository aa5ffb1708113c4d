// k()
// CP0308
struct Pointers { void *p[3]; };
__global__ void k(Pointers a, double *y, int n) {
  int i = threadIdx.x;
  if (i < n) y[i] = static_cast<const double *>(a.p[0])[i] * 2;
}
