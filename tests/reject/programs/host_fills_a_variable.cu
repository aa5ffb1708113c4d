// k(x, y)
// CP0242
#include <cstring>
void k(const double *x, double *y) {
  float f;
  memset(&f, 1, 4);
  y[0] = x[0] * f;
}
