// f(x)
// CP0206
#include <map>
double f(const double *x, int n) {
  std::map<int, double> sums;
  for (int i = 0; i < n; ++i) sums[i % 3] += x[i];
  return sums[0] * sums[1];
}
