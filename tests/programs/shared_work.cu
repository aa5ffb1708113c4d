// What threads of OpenMP share out in regions, and in functions that these call: one thread gives the same.
#include <math.h>

#include <algorithm>
#include <vector>

// Loops in a loop over steps, between which all wait.
double relaxed(const double *x, int n) {
  std::vector<double> u(n), v(n);
  double r = 0;
#pragma omp parallel if (n > 4)
  {
#pragma omp for
    for (int i = 0; i < n; i++) u[i] = x[i];
    for (int step = 0; step < 3; step++) {
#pragma omp for
      for (int i = 1; i < n - 1; i++) v[i] = 0.5 * (u[i - 1] + u[i + 1]) * u[i];
#pragma omp for
      for (int i = 1; i < n - 1; i++) u[i] = v[i];
    }
  }
  for (int i = 0; i < n; i++) r += u[i] * u[i];
  return r;
}

// What one thread does is seen by all, also by what says how often they go on.
double until_small(const double *x, int n) {
  std::vector<double> y(x, x + n);
  double error = 1, r = 0;
  int steps = 0;
#pragma omp parallel
  {
    while (error > 0.2 && steps < 5) {
#pragma omp barrier
#pragma omp single
      {
        error = 0;
        steps++;
      }
#pragma omp for reduction(+ : error)
      for (int i = 0; i < n; i++) {
        y[i] *= 0.7;
        error += y[i] * y[i];
      }
    }
  }
  for (int i = 0; i < n; i++) r += y[i] * y[i] + error;
  return r;
}

// Each thread has its part of sums and of the largest number.
double parts(const double *x, int n) {
  double r = 0, top = 0, h = 0.5, bins[4] = {0, 0, 0, 0};
  int i, j;
  double t, own, kept[2];
#pragma omp parallel private(i, j, t, own, kept) firstprivate(h)
  {
    double most = -1e30, counted[4] = {0, 0, 0, 0}, product = 1;
    own = 0;
    kept[0] = h;
    for (int k = 0; k < 2; k++) {
#pragma omp for
      for (i = 0; i < n; i++) {
        t = x[i] * x[i];
        for (j = 0; j < 2; j++) t *= x[j];
        own += t * kept[0];
        counted[(i + k) % 4] += t;
        most = fmax(most, x[i]);
      }
    }
    for (int k = 0; k < 1; k++) {
#pragma omp for
      for (i = 0; i < n; i++) product *= 0.7 + x[i];
    }
#pragma omp critical
    {
      for (j = 0; j < 4; j++) bins[j] += counted[j];
      r += -own * h / 3 + (own - 2 * own);
      if (most > top) top = most;
    }
#pragma omp barrier
#pragma omp for reduction(+ : r)
    for (i = 0; i < n; i++) r += x[i] / top;
#pragma omp critical
    r *= product;
  }
  return r + bins[0] * bins[1] + bins[2] * bins[3];
}

double summed(const double *x, int n) {
  double r = 0;
#pragma omp parallel reduction(+ : r)
  {
    double own = 0, y[13];
#pragma omp for
    for (int i = 0; i < n; i++) own += x[i];
    for (int k = 1; k < 3; ++k) {
#pragma omp for
      for (int i = 0; i < n; i++) r += k * x[i] * x[i];
    }
    r = r + own;
    y[0] = n;
#pragma omp single
    r += y[0] * x[0] * x[1];
  }
  return r;
}

double in_sections(const double *x, int n) {
  double a = 0, b = 0, c = 1, t, r = 0;
#pragma omp parallel sections
  {
    for (int i = 0; i < n; i++) a += x[i] * x[i];
#pragma omp section
    {
      for (int i = 0; i < n; i++) b += x[i] * x[i] * x[i];
    }
#pragma omp section
    {
      for (int i = 0; i < n; i++) c *= x[i];
#pragma omp critical
      r += x[2];
    }
  }
#pragma omp parallel
#pragma omp sections reduction(+ : r) private(t)
  {
#pragma omp section
    {
      t = x[0] * x[0];
      r += t;
    }
#pragma omp section
    {
      t = x[1];
      r += t * x[2];
    }
  }
  return a * b + c * r;
}

static void squared(double *y, const double *x, int n) {
#pragma omp for
  for (int i = 0; i < n; i++) y[i] = x[i] * x[i];
}

static void first_doubled(double *y) {
#pragma omp single
  y[0] *= 2;
#pragma omp sections
  {
    y[1] *= 3;
#pragma omp section
    y[2] *= 4;
  }
}

// What one thread has found, all have copies of; what a function declares is each thread's own.
static void scaled(double *y, const double *x, const double *a, int n) {
  double t;
  int i, k;
#pragma omp for
  for (i = 0; i < n; i++) {
    for (k = 0; k < 2; k++) {
      t = a[k] * x[i];
      y[i] += t * t;
    }
  }
}

double told(const double *x, int n) {
  std::vector<double> v(n, 1.0);
  double r = 0, own, *y = v.data();
#pragma omp parallel private(own) reduction(+ : r)
  {
#pragma omp single copyprivate(own)
    own = x[0] * x[1];
    scaled(y, x, x + 2, n);
#pragma omp for
    for (int i = 0; i < n; i++) r += own * y[i];
  }
  return r;
}

// The loop that the threads share stands in a function.
double elsewhere(const double *x, int n) {
  std::vector<double> v(n);
  double *y = v.data(), r = 0;
#pragma omp parallel
  {
    squared(y, x, n);
    first_doubled(y);
#pragma omp for reduction(+ : r)
    for (int i = 0; i < n; i++) r += y[i] * y[n - 1 - i];
  }
#pragma omp parallel reduction(+ : r)
#pragma omp single
  r += x[0] * x[1];
#pragma omp parallel loop reduction(+ : r)
  for (int i = 0; i < n; ++i) r += x[i] * x[0];
  return r;
}

// What the threads have of their own is written in loops of the iterations, which may have none.
double eliminated(const double *x, int n) {
  std::vector<double> v(2 * n, 1.5);
  double *d = v.data(), r = 0;
#pragma omp parallel
  {
    double factor, t;
    int k;
    for (int step = 0; step < 2; ++step) {
#pragma omp for
      for (int i = 0; i < n; ++i)
        for (k = step; k < 2; ++k) {
          factor = 1. / (d[i * 2 + k] + x[i]);
          t = factor * x[i];
          d[i * 2 + k] = t * factor + k;
        }
    }
  }
  for (int i = 0; i < 2 * n; ++i) r += d[i] * d[i];
  return r;
}
