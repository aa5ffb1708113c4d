// f(x)
// CP0120
#include <stack>
static std::stack<double *> spare;
double f(const double *x, int n) {
  double *s, scale = 1;
  if (!spare.empty()) {
    s = spare.top();
    spare.pop();
    scale = 2;
  } else {
    s = new double[n];
  }
  for (int i = 0; i < n; ++i) s[i] = x[i] * x[i];
  spare.push(s);
  return scale * s[n - 1];
}
