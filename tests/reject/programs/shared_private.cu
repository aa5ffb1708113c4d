// f(x)
// A private variable leaves the one outside as it was, unless the compiler does not mind directives.
double f(const double *x, int n) {
  double r = 0, t = 1;
#pragma omp parallel for private(t) reduction(+ : r)
  for (int i = 0; i < n; ++i) {
    t = x[i] * x[i];
    r += t;
  }
  return r * t;
}
