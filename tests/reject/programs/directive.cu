// f(x)
// A region that runs once for each thread, whose number is not the program's to know.
double f(double x) {
  double r = x * x;
#pragma omp parallel reduction(+ : r)
  { r += x; }
  return r;
}
