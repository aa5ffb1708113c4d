// f(x)
// CP0132: text is left out of a gradient, so that it cannot decide anything.
#include <string>
double f(double x, int n) {
  std::string kind = n > 3 ? "large" : "small";
  kind += "!";
  return kind == "large!" ? x : -x;
}
