// f(data)
// CP0233
#include <vector>
struct Data {
  int n;
  std::vector<double> values;
};
void f(Data *data) {
  data->values.resize(data->n);
  data->values[0] *= data->values[1];
}
