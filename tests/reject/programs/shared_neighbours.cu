// f(x)
// What one iteration writes, the next one reads.
void f(double *x, int n) {
#pragma omp parallel for
  for (int i = 1; i < n; ++i) x[i] += 0.5 * x[i - 1];
}
