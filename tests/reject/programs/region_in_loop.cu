// f(x)
// Within a region there is another number of threads.
double each(const double *x) {
  double r = 0;
#pragma omp parallel reduction(+ : r)
  r += x[0] * x[0];
  return r;
}

double f(const double *x, int n) {
  double r = 0;
#pragma omp parallel for reduction(+ : r)
  for (int i = 0; i < n; ++i) r += each(x + i);
  return r;
}
