// f(x)
// What each thread has of a loop is put together otherwise than in the loop.
double f(const double *x, int n) {
  double r = 0;
#pragma omp parallel
  {
    double own = 0;
    for (int k = 0; k < 2; ++k) {
#pragma omp for
      for (int i = 0; i < n; ++i) own += x[i];
    }
#pragma omp critical
    r += own * own;
  }
  return r;
}
