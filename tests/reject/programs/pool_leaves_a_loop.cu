// f(x)
// CP0120
#include <list>
static std::list<double *> spare;
double f(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    if (spare.size() > 3) return sum;
    sum += x[i] * x[i];
    spare.push_back(nullptr);
  }
  return sum;
}
