// f(x)
// CP0120
#include <vector>
static std::vector<double *> made;
double f(const double *x, int n) {
  double *s = new double[n];
  for (int i = 0; i < n; ++i) s[i] = x[i] * x[i];
  made.push_back(s);
  return made.size() * made[0][n - 1];
}
