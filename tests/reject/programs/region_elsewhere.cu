// f(x, y)
// How many threads there are, and what a region's threads share out, is said outside of the region.
#include <omp.h>

void shared_out(const double *x, double *y, int n) {
#pragma omp for
  for (int i = 0; i < n; ++i) y[i] = x[i] * x[i];
}

void f(const double *x, double *y, int n) {
  if (n > 3) omp_set_num_threads(3);
#pragma omp parallel
  {
    shared_out(x, y, n);
    y[n + omp_get_thread_num()] = x[0];
  }
}
