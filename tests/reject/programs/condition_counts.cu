// k(y, x)
// CP0013
#define NEXT __COUNTER__
__global__ void k(double *y, double x) {
#if NEXT == 0
  *y = x;
#elif __INCLUDE_LEVEL__ > 0
  *y = x * x;
#endif
}
