// What host code does beside the computation: values that nobody takes, memory that is allocated again.
#include <cstdlib>

struct Plain {
  double x, y;
};
struct Made {
  double x, y;
  Made(double a, double b) : x(a), y(b) {}
  Made add(double s) const { return Made(x + s, y + s); }
};
double touch(double *p) { return *p += 1; }
Plain made(double a) { return Plain{a, a * a}; }

void not_taken(const double *x, double *y, int n) {
  double t = x[0];
  Made{touch(&t), t};
  made(touch(&t)).x;
  Made(1, 2).add(t).x;
  Plain w{1, 2}, u{t, t};
  w.x;
  u;
  Plain{t, touch(&t)};
  (void)(n ? w : u);
  n ? made(t) : u;
  (void)&t;
  x + n;
  x[1], touch(&t);
  malloc(8);
  -t;
  (double)n;
  Plain all[2] = {{x[1], 1}, {}};
  all[1];
  y[0] = t * t * w.x;
}

// More iterations than are written out.
void many_allocations(const double *x, double *y, int n) {
  double s = 0;
  for (int k = 0; k < 300; k++) {
    double *q = (double *)malloc(8);
    q[0] = x[k % n];
    s += q[0] * q[0];
    free(q);
  }
  y[0] = s;
}

struct Given {
  double *p;
  const double *q;
  double s;
};
__global__ void scaled(double *x, const double *q) { x[threadIdx.x] *= q ? q[threadIdx.x] : 3; }
__global__ void scaled_by(Given g) { g.p[threadIdx.x] *= g.q ? g.q[threadIdx.x] : g.s; }

void launched_without(const double *x, double *y, int n) {
  const double *none = nullptr;
  scaled<<<1, n>>>(y, x);
  scaled<<<1, n>>>(y, nullptr);
  scaled<<<1, n>>>(y, none);
  Given given{y, none, x[0]};
  scaled_by<<<1, n>>>(given);
}

void allocated_again(const double *x, double *y, int n) {
  double *p[4];
  for (int i = 0; i < 4; i++) p[i] = (double *)malloc(8);
  int k = 0;
  while (k < 2) {
    double *q = (double *)malloc(8 * n);
    q[0] = x[k];
    y[k] = q[0] * q[0];
    free(q);
    k++;
  }
  for (int i = 0; i < 4; i++) {
    *p[i] = x[i];
    y[i] += *p[i] * x[i];
    free(p[i]);
  }
  double *kept = (double *)realloc(nullptr, 16);
  kept[0] = x[0];
  kept = (double *)realloc(kept, 32);
  y[0] += kept[0];
  free(kept);
}

struct Tables {
  double *rows[3];
};
struct Pairs {
  Tables tables[2];
};

// Pointers in objects in allocated memory, and seen as pointers to const.
void pointers_in_allocations(const double *x, double *y, int n) {
  Pairs *t = (Pairs *)malloc(n * sizeof(Pairs));
  double **single = (double **)malloc(n * sizeof(double *));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 2; j++)
      for (int k = 0; k < 3; k++) t[i].tables[j].rows[k] = (double *)malloc(sizeof(double));
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 3; k++) t[i].tables[k % 2].rows[k][0] = x[i] + k;
  for (int i = 0; i < n; i++) single[i] = t[i].tables[1].rows[1];
  const double *const *seen = single;
  for (int i = 0; i < n; i++) y[i] = *t[i].tables[0].rows[0] * seen[i][0];
}
