// std::optional in host code.
#include <optional>

__global__ void scaled(const double *x, double *y, double a, int n) {
  const int i = threadIdx.x;
  if (i < n) y[i] = a * x[i] * x[i];
}

static std::optional<double> larger(double a) {
  if (a > 1.0) return a * a;
  return std::nullopt;
}

void by_optional(const double *x, double *y, double a, int n) {
  std::optional<double> found = larger(a);
  if (found) {
    scaled<<<1, 32>>>(x, y, *found, n);
  } else {
    scaled<<<1, 32>>>(x, y, found.value_or(0.5 * a), n);
  }
  found = a + 1.0;
  found.reset();
  std::optional<int> given = std::make_optional(2);
  if (!found.has_value() && given != std::nullopt) scaled<<<1, 32>>>(y, y + n, given.value() + *given, n);
}

// What holds a constant through a loop, and what does not.
struct Held {
  double *memory;
  int kind;
  int runs = 0;
  double *data() const { return memory; }
};

void in_loops(double *x, double a, int n, int steps) {
  Held of{x, 1};
  for (int k = 0; k < steps; ++k) {
    if (of.kind == 0) {
      scaled<<<1, 32>>>(of.data(), of.data(), 7.0, n);
    } else {
      for (int j = 0; j < 2; ++j) {
        of.runs += 1;
        scaled<<<1, 32>>>(of.data(), of.data(), a + of.runs, n);
      }
    }
    if (of.runs == 4) of.kind = 0;
  }
}
