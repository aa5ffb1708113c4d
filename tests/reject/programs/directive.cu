// f(x)
// A region whose threads depend on a condition.
double f(double x) {
  double r = x * x;
#pragma omp parallel reduction(+ : r) if (x > 0)
  { r += x; }
  return r;
}
