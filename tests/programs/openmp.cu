// Loops that the threads of OpenMP share, and what clauses say of variables.
#include <math.h>

#include <algorithm>
#include <vector>

#define PRAGMA(x) _Pragma(#x)
#define SUMMED(r) PRAGMA(omp parallel for reduction(+ : r))

double summed(const double *x, int n) {
  double r = 1, t;
#pragma omp parallel for reduction(+ : r) private(t) schedule(static, 2) num_threads(2)
  for (int i = 0; i < n; ++i) {
    t = x[i] * x[i];
    r = r + t;
    r -= 0.5 * sin(t);
  }
  SUMMED(r)
  for (int i = 0; i < n; ++i) r += x[i];
#pragma omp parallel for reduction(* : r)
  for (int i = 0; i < n; ++i) r *= 0.5 + x[i];
  return r;
}

// What a loop counts with, and what is private, is given a value before it is read again.
double kept(const double *x, int n) {
  int i, j;
  double r = 0, last = 0, t, scale = 2;
  for (int k = 0; k < 2; ++k) {
#pragma omp parallel for private(j, t) lastprivate(last) firstprivate(scale) reduction(+ : r)
    for (i = 0; i < n; i++) {
      last = scale * x[i];
      for (j = 0; j < i; j++) {
        t = last * x[j];
        r += t;
      }
    }
    t = x[k];
    for (i = 0, j = 1; i < 2; ++i) r += j * t * x[i];
  }
  return r * last;
}

// Places that go on by a step.
double stepped(const double *x, int n) {
  double y[40] = {0}, *p = y;
  int j = 39;
#pragma omp parallel for linear(j : -3)
  for (int i = 0; i < n; ++i) {
    y[j] = x[i] * x[i];
    j -= 3;
  }
#pragma omp simd linear(p)
  for (int i = 0; i < n; ++i) {
    *p += x[i] * x[n - 1 - i];
    ++p;
  }
  return y[39] * y[j + 3] * y[3] + p[-1];
}

double extremes(const double *x, int n) {
  double most = -1, least = 1e30;
#pragma omp parallel for reduction(max : most) reduction(min : least)
  for (int i = 0; i < n; ++i) {
    double v = x[i] * sin(9 * x[i]);
    if (v > most) most = v;
    least = std::min(least, x[i] + v);
  }
#pragma omp parallel for reduction(max : most)
  for (int i = 0; i < n; ++i) most = fmax(most, 0.3 * x[i]);
  return most * least;
}

void in_a_region(const double *x, double *y, int n) {
  std::vector<double> v(n);
  double m = 1;
#pragma omp parallel default(shared)
  {
#pragma omp for
    for (auto it = v.begin(); it < v.end(); ++it) *it = x[it - v.begin()] * x[0];
#pragma omp single
    m = v[0] * v[1];
#pragma omp for schedule(dynamic)
    for (int i = 0; i < n; ++i) y[i] += m * v[i];
#pragma omp barrier
  }
}

double one_at_a_time(const double *x, int n) {
  double sum = 0, best = 0;
  int k = 0;
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    double v = x[i] * x[i];
#pragma omp atomic
    sum += v;
#pragma omp critical
    {
      if (v > best) {
        best = v;
        k = i;
      }
    }
  }
  return sum * best + x[k];
}

double lanes(const double *x, int n) {
  double h[4] = {0, 0, 0, 0}, r = 0;
  int i, j;
#pragma omp parallel for collapse(2) reduction(+ : h[ : 4])
  for (i = 0; i < n; ++i)
    for (j = 0; j < 2; ++j) h[(i + j) % 4] += x[i] * (j + 1);
  for (i = 0; i < 4; ++i) {
    double t = 1;
#pragma omp simd reduction(+ : r) private(j)
    for (j = 0; j < n; ++j) r += t * h[i] * x[j];
  }
  return r + h[0] * h[1];
}

struct Springs {
  std::vector<double> k;
  double energy(const double *x, int n) const {
    double r = 0;
#ifdef _OPENMP
#pragma omp parallel for reduction(+ : r) default(none) shared(x, n)
#endif
    for (int i = 0; i < n; i++) r += k[i] * x[i] * x[i];
    return r;
  }
  void stiffen(const double *x, int n) {
#pragma omp parallel for simd
    for (int i = 0; i < n; i++) k[i] = 1 + x[i];
  }
};

double in_methods(const double *x, int n) {
  Springs s;
  s.k.resize(n);
  s.stiffen(x, n);
  return s.energy(x, n);
}

#pragma omp declare target
static double bent(double x) { return x * sin(x); }
#pragma omp end declare target

// Where there is no device, the host does its work.
double offloaded(const double *x, double *y, int n) {
  double r = 0, s = x[0], total = 0;
  int j, k;
#pragma omp target data map(to : x[0 : n]) map(tofrom : y[0 : n]) if (n > 1)
  {
#pragma omp target teams distribute parallel for num_teams(4) thread_limit(64) firstprivate(s)
    for (int i = 0; i < n; ++i) y[i] = s * x[i] * y[i] + bent(x[i]);
#pragma omp target teams distribute parallel for simd map(tofrom : r) reduction(+ : r) collapse(2)
    for (k = 0; k < n; ++k)
      for (j = 0; j < n; ++j) r += y[k] * x[j];
#pragma omp target teams distribute
    for (int i = 0; i < n; ++i) {
      double t = 0;
#pragma omp parallel for reduction(+ : t)
      for (int j = 0; j < n; ++j) t += x[i] * x[j];
      y[i] *= t;
    }
  }
#pragma omp target update from(y[0 : n])
#pragma omp target teams distribute parallel for map(tofrom : total)
  for (int i = 0; i < n; ++i) {
#pragma omp atomic
    total += x[i] * y[i];
  }
#pragma omp target exit data map(release : x[0 : n])
  return r * total;
}

// None of these has variables that are threadprivate.
