// f(x)
// What each iteration writes to one place: threads would do so at once.
double f(const double *x, int n) {
  double r = 0;
#pragma omp parallel for
  for (int i = 0; i < n; ++i) r += x[i];
  return r;
}
