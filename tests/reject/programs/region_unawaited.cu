// f(x, y)
// A thread reads what another may not have written yet.
double f(const double *x, double *y, int n) {
  double r = 0;
#pragma omp parallel
  {
#pragma omp for nowait
    for (int i = 0; i < n; i++) y[i] = x[i] * x[i];
#pragma omp for reduction(+ : r)
    for (int i = 0; i < n; i++) r += y[n - 1 - i] * x[i];
  }
  return r;
}
