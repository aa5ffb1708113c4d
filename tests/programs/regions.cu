// Regions of OpenMP of which each thread of the team runs all.
#ifdef _OPENMP
#include <omp.h>
#endif

// What one thread has added up is put together at the end, for any number of threads.
double own_sums(const double *x, int n) {
  double total = 1;
#pragma omp parallel num_threads(3)
  {
    double own = 0;
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++) own += x[i] * x[i];
#pragma omp critical
    total += own;
  }
  return total * total;
}

// The threads share the work out by their numbers, and count down, by steps and to an end that is included.
void by_number(const double *x, double *y, int n) {
#pragma omp parallel
  {
#ifdef _OPENMP
    int t = omp_get_thread_num(), size = omp_get_num_threads();
#else
    int t = 0, size = 1;
#endif
    int first = n * t / size, last = n * (t + 1) / size;
    for (int i = first; i < last; ++i) y[i] = x[i] * x[i] * x[0];
  }
#pragma omp parallel num_threads(2)
  {
#pragma omp for
    for (unsigned i = n - 1; i >= 1; i -= 2) y[i] *= x[i - 1];
#pragma omp for
    for (long i = 1; n - 3 >= i; i = 4 + i) y[i] += x[i];
#pragma omp barrier
  }
}

// Variables of the function that each thread has one of.
double own_copies(const double *x, int n) {
  double r = 0, s = 3, t = 2;
  int i;
#pragma omp parallel firstprivate(s) private(t, i) num_threads(2)
  {
    t = s;
#pragma omp for reduction(+ : r) private(t)
    for (i = 0; i < n; i++) {
      t = s * x[i];
      r += t * x[i];
    }
#pragma omp single
    r += x[1] * t;
#pragma omp master
#pragma omp atomic
    r += x[2];
  }
  return r * s * t;
}

// Each thread adds the same: the value depends on how many there are.
double each(const double *x, int n) {
  double r = x[0];
#pragma omp parallel reduction(+ : r)
  {
    r += x[0] * x[1];
#pragma omp simd
    for (int i = 1; i < n; ++i) r += x[i] * x[i - 1];
  }
  return r;
}

// A product of what each thread has of a loop.
double products(const double *x, int n) {
  double r = 1;
#pragma omp parallel
  {
    double own = 0.5;
#pragma omp for
    for (int i = 0; i < n; i++) own += x[i] * x[i];
#pragma omp critical
    r *= own;
  }
  return r;
}

// How many threads there are is said by numbers that are not known here, and by a call before.
double asked_for(const double *x, int n) {
  double r = 0, h = 1, part[64] = {0};
  int size = 1;
#ifdef _OPENMP
  omp_set_dynamic(0);
  omp_set_num_threads(n / 6);
#pragma omp parallel
  {
    int id = omp_get_thread_num(), count = omp_get_num_threads();
    if (id == 0) size = count;
    for (int i = id; i < n; i += count) part[id] += x[i] * x[i];
  }
#pragma omp parallel num_threads(2 * (n - 12) + n % 2) reduction(+ : r)
  r += x[omp_get_thread_num()];
#pragma omp parallel if (parallel : n > 20 && !(h * -n > 1)) reduction(+ : r)
  r += x[3 + omp_get_thread_num()];
#endif
  for (int i = 0; i < size; i++) r += part[i] * part[i];
  return r;
}

// Threads do not wait where each uses what it has made itself, where there is nothing to wait for, and behind a barrier.
double unawaited(const double *x, double *y, double *z, int n) {
  double r = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp for schedule(static) nowait
    for (int i = 0; i < n; i++)
      for (int k = 0; k < 2; k++) y[i * 2 + k] = x[i] * x[i] * (k + 1);
#pragma omp for schedule(static) nowait
    for (int j = 0; j < n; j++)
      for (int l = 0; l < 2; l++) y[j * 2 + l] *= x[j];
#pragma omp for nowait
    for (int i = 1; i < n; i++) z[i] = x[i] * x[i - 1];
#pragma omp barrier
#pragma omp for reduction(+ : r)
    for (int i = 1; i < n; i++) r += y[2 * i - 1] * z[n - i];
  }
  return r;
}
