// f(data)
// CP0133
#include <vector>
class Data : public std::vector<double> {
 public:
  int size() const { return n; }
  int n;
};
double f(const Data *data) { return (*data)[0] * data->std::vector<double>::size(); }
