// f(data)
// CP0133
#include <thrust/device_vector.h>
class Data {
 public:
  double scaled(double x) const { return x * factor_; }

 private:
  thrust::device_vector<double> values_;
  double factor_;
};
double f(const Data &data, double x) { return data.scaled(x); }
