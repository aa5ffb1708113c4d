// f(x, y)
// split=1
// may_alias=1
// CP0524
void f(double *x, double *y, int n) {
  for (int i = 0; i < n; ++i) y[i] = x[i] * x[i];
}
