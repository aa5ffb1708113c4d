// k(y, x)
// CP0013
#define HAS_ATTRIBUTE(x) __has_attribute(x)
#define WANTED noinline
__global__ void k(double *y, double x) {
#if HAS_ATTRIBUTE(noinline)
  *y = x;
#endif
#if HAS_ATTRIBUTE(WANTED)
  *y += x * x;
#endif
}
