// f(x)
// A device adds to its own copy, which nobody asks it for.
double f(const double *x, int n) {
  double r = 0;
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; ++i) {
#pragma omp atomic
    r += x[i] * x[i];
  }
  return r;
}
