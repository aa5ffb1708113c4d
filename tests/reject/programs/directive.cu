// f(x)
// Whichever thread has time for it.
double f(double x) {
  double r = x * x;
#pragma omp task
  r += x;
  return r;
}
