// f(x)
// Each thread adds to what all of them have.
double f(const double *x, double *y, int n) {
  double r = 0;
#pragma omp parallel
  {
    for (int k = 0; k < 2; ++k) {
#pragma omp for
      for (int i = 0; i < n; ++i) y[i] = x[i];
      r += y[k];
    }
  }
  return r;
}
