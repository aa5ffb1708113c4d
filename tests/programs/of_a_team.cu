// A function of a caller's team, called by one thread: that is all of the team.
#include <omp.h>

static int number() { return omp_get_thread_num() + omp_get_num_threads() + omp_in_parallel(); }

double of_a_team(const double *x, double *y, int n) {
  int i;
  double row[3], part = 0, r = 0;
  static double last, step;
  int id = omp_get_thread_num();
#pragma omp single nowait
  {
    last = x[0];
    step = 0.5;
  }
#pragma omp for nowait
  for (i = 0; i < n; ++i) {
    row[i % 3] = x[i] * last;
    y[i] += row[0] + (i > 0 ? y[i - 1] : 0) * number();
    last = step * x[i];
  }
#pragma omp for
  for (i = 0; i < n; ++i) part += x[i] * y[i];
  if (id == 0) r += part;
#pragma omp barrier
#pragma omp master
  r += last * x[n - 1] / omp_get_num_threads();
  return r;
}

// What each call writes before it reads it may be static.
double with_static(const double *x, int n) {
  static double sum, before;
  double r = 0;
  sum = x[0];
  for (int k = 0; k < 2; ++k) {
    before = sum;
    sum = 0;
    for (int i = 0; i < n; ++i) sum += before * x[i];
    r += sum * before;
  }
  return r;
}
