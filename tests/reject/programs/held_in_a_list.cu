// f(x)
// CP0206
#include <list>
double f(double x) {
  std::list<double> powers;
  powers.push_back(x * x);
  double sum = 0.0;
  for (double p : powers) sum += p;
  return sum;
}
