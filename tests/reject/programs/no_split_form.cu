// f(x)
// split=1
// CP0524
int calls = 0;

double f(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i] * x[i];
  calls += n;
  return sum;
}
