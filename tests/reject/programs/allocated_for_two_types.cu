// f(x, y)
// CP0232
#include <cstdlib>
void f(const double *x, double *y, int n) {
  void *memory = malloc(2 * n * sizeof(double));
  double *numbers = (double *)memory;
  float *singles = (float *)(numbers + n);
  for (int i = 0; i < n; ++i) {
    numbers[i] = x[i] * x[i];
    singles[i] = numbers[i];
  }
  for (int i = 0; i < n; ++i) y[i] = singles[i];
  free(memory);
}
