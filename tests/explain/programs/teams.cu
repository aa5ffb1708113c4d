// k(x, y)
#include <math.h>

double k(const double *x, double *y, const int *at, int n) {
  double sum = 0, product = 1;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; ++i) {
    y[i] = sin(y[i]);
    sum += x[at[i]] * y[i];
  }
#pragma omp parallel for reduction(* : product)
  for (int i = 0; i < n; ++i) product *= x[i];
  return sum * product;
}
