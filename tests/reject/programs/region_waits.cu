// f(x)
// What one thread writes, the others read once they have waited for it.
double f(const double *x) {
  double m = 0, r = 0;
#pragma omp parallel reduction(+ : r)
  {
#pragma omp master
    m = x[0] * x[1];
#pragma omp barrier
    r += m * x[2];
  }
  return r;
}
