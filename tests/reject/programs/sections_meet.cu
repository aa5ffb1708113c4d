// f(x)
double f(const double *x) {
  double a = 0, b = 0;
#pragma omp parallel sections
  {
#pragma omp section
    a = x[0] * x[0];
#pragma omp section
    b = a * x[1];
  }
  return b;
}
