// f(x)
// CP0233
double f(const double *x, int n) {
  double square[2];
  double **some = new double *[n];
  square[0] = x[0] * x[0];
  for (int i = 0; i < n; ++i) some[i] = square;
  return *some[n - 1];
}
