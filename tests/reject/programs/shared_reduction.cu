// f(x)
// What the sum of a part of the iterations decides depends on how they are shared out.
double f(const double *x, int n) {
  double r = 0;
#pragma omp parallel for reduction(+ : r)
  for (int i = 0; i < n; ++i) {
    if (r < 10) r += x[i];
  }
  return r;
}
