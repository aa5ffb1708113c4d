// f(x)
// What one thread writes, the others read once they have waited for it.
#include <omp.h>

double f(const double *x) {
  double m = 0, r = 0;
#pragma omp parallel reduction(+ : r)
  {
    int t = omp_get_thread_num();
#pragma omp master
    m = x[0] * x[1];
#pragma omp barrier
    r += m * x[t];
  }
  return r;
}
