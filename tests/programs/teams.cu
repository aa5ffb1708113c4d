// Loops that the threads of OpenMP share, in the forward and in the reverse sweep.
#include <math.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include <vector>

double stencils(const double *x, double *y, double *z, double s, int n) {
  double r = 0;
#pragma omp parallel for
  for (int i = 1; i < n - 1; ++i) y[i] = s * x[i - 1] + x[i] * x[i + 1];
#pragma omp parallel for
  for (int i = 0; i < n; i += 2) z[n - 1 - i] = y[n - 1 - i] * y[n - 1 - i];
#pragma omp parallel for reduction(+ : r) schedule(static, 1)
  for (size_t i = n; i > 0; --i) r += s * z[i - 1] * x[i - 1];
#pragma omp parallel for
  for (int i = 3; i <= n; i += 3) z[i - 1] = 2 * r * y[n - i];
  return r;
}

// Rows of a matrix are the iteration's own; the vector is everybody's.
void products(const double *a, const double *v, double *y, double *rows, int n, int m) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int j = 0; j < m; ++j) {
      sum += a[i * m + j] * v[j];
      rows[i * m + j] = a[i * m + j] * sum;
    }
    y[i] = sum * y[i];
  }
}

void indirect(const double *x, double *y, double *h, const int *order, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    int k = order[i];
    y[k] += x[order[n - 1 - i]] * sin(y[k]);
  }
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
#pragma omp atomic
    h[order[i] % 3] += x[i] * x[i];
  }
}

// What iterations overwrite lies in a row for each, some of it under a condition, and above it what their loops keep.
double steps(double *x, double *y, double dt, int n, int count) {
  double energy = 0, last = 0;
  for (int t = 0; t < count; ++t) {
#pragma omp parallel for lastprivate(last)
    for (int i = 0; i < n; ++i) {
      double v = x[i], w = y[i];
      for (int k = 0; k < 2 + i % 2; ++k) v = v + dt * sin(v * w);
      if (v > 0.2) {
        y[i] = w * cos(w) + v * y[i];
      }
      x[i] = v;
      last = v * w;
    }
#pragma omp parallel for reduction(+ : energy)
    for (int i = 0; i < n; ++i) energy += x[i] * x[i] * y[i];
  }
  return energy * last;
}

double root(double x) {
  double y = 1 + x * x;
  for (int k = 0; k < 3; ++k) y = 0.5 * (y + (1 + x * x) / y);
  return y;
}

// Its loop needs the tape.
double orbit(double x, double y, double z) {
  for (int k = 0; k < 4; ++k) {
    double a = 0.9 * x + 0.1 * y * z, b = y - 0.2 * x * z, c = z + 0.1 * x * y;
    x = a;
    y = b;
    z = sin(c);
  }
  return x + y * z;
}

double orbits(const double *x, int n) {
  double r = 0;
#pragma omp parallel for reduction(+ : r)
  for (int i = 0; i < n; ++i) r += orbit(x[i], x[n - 1 - i], 0.3);
  return r;
}

double length(const double *x, int n) {
  double r = 0;
#pragma omp parallel for reduction(+ : r)
  for (int i = 0; i < n; ++i) r += x[i] * x[i];
  return sqrt(r + 1);
}

double looked_up(const double *x, int i) { return i > 0 ? x[i] * looked_up(x, i / 2) : x[0]; }

double called(const double *x, int n) {
  double r = 0, own = 0;
#pragma omp parallel for reduction(+ : r)
  for (int i = 0; i < n; ++i) r += root(x[i]) * x[n - 1 - i];
#pragma omp parallel for reduction(+ : own)
  for (int i = 0; i < n; ++i) own += looked_up(x, i);
  return (r + own) * length(x, n);
}

struct Particle {
  double place, speed, mass;
};

double particles(Particle *p, double g, int n) {
  std::vector<double> force(n);
  double work = 0;
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) force[i] += j == i ? 0 : g * p[j].mass * sin(p[j].place - p[i].place);
#pragma omp parallel for reduction(+ : work)
  for (int i = 0; i < (int)force.size(); ++i) {
    p[i].speed += force[i] / p[i].mass;
    p[i].place += p[i].speed;
    work += force[i] * p[i].speed;
  }
  return work;
}

// A sum that decides is made in one order; a product and an array of each thread's are made by one thread.
double in_order(const double *x, double *y, int n) {
  double sum = 0, product = 1, buffer[2], h[3] = {0, 0, 0};
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; ++i) sum += x[i];
#pragma omp parallel for reduction(* : product)
  for (int i = 0; i < n; ++i) product *= 1 + 0.1 * x[i];
#pragma omp parallel for private(buffer) reduction(+ : h)
  for (int i = 0; i < n; ++i) {
    buffer[0] = x[i] * y[i];
    buffer[1] = x[i] + buffer[0];
    y[i] = buffer[0] * buffer[1];
    h[i % 3] += y[i];
  }
  return sum > 0.5 ? sum * product + h[0] * h[1] : product * product * h[2];
}

// Where the program is compiled for OpenMP, which has clocks too.
double timed(const double *x, [[maybe_unused]] double *spent, int n) {
  double r = 0;
#ifdef _OPENMP
  omp_set_num_threads(3);
  const double begin = omp_get_wtime();
  r = 2 * x[0];
#endif
#pragma omp parallel for reduction(+ : r)
  for (int i = 0; i < n; ++i) r += x[i] * x[i];
#ifdef _OPENMP
  if (spent) *spent = omp_get_wtime() - begin;
#endif
  return r;
}
