// f(x)
double f(const double *x) {
  double own = x[0];
  double *p = (double *)((size_t)&own + 8);
  return *p * *x;
}
