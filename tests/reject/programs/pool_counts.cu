// f(x)
// CP0120
#include <deque>
static int asked;
static std::deque<double *> &pool() {
  static std::deque<double *> spare;
  ++asked;
  return spare;
}
double f(const double *x, int n) {
  double *s = new double[n];
  s[0] = x[0] * x[0];
  pool().push_back(s);
  return s[0];
}
