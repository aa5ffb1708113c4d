// f(x)
// CP0133
#include <string>
#include <vector>
struct Data {
  int n;
  std::vector<double> values;
};
double f(const std::vector<double> &x, Data data, std::string name) { return x[0] * data.values[0]; }
