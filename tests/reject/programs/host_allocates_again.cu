// f(x)
// CP0246
double f(double *x) {
  double *mine = (double *)realloc(x, 64 * sizeof(double));
  mine[0] = mine[1] * mine[1];
  return mine[0];
}
