// f(work)
// CP0214
#include <string>
struct Work { std::string name; double x; };
double f(const Work *work) {
  const std::string &name = work->name;
  return work->x * work->x;
}
