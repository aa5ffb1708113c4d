// f(x)
// CP0240
double f(double *x) {
  double **rows = (double **)malloc(4 * sizeof(double *));
  rows[0] = x;
  return rows[0][0] * rows[0][0];
}
