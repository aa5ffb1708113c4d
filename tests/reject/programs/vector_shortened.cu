// f(data)
// CP0233
#include <vector>
struct Data {
  std::vector<double> values;
};
void f(Data *data) {
  data->values[0] *= data->values[1];
  data->values.pop_back();
}
