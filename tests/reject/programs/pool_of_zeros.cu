// f(x)
// CP0120
#include <cstdlib>
#include <map>
static std::multimap<int, double *> spare;
double f(const double *x, int n) {
  auto found = spare.find(n);
  double *s;
  if (found == spare.end())
    s = (double *)calloc(n, sizeof(double));
  else
    s = found->second;
  s[0] += x[0] * x[0];
  spare.insert({n, s});
  return s[0];
}
