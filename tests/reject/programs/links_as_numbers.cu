// k(x, y)
// CP0232
#include <cstdlib>
void k(const double *x, double *y, int n) {
  double **rows = (double **)malloc(n * sizeof(double *));
  double *numbers = (double *)rows;
  for (int i = 0; i < n; i++) y[i] = x[i] * numbers[i];
}
