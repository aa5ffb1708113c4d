// f(a)
// CP0215
struct Pair {
  double x, y;
};
__device__ Pair f(double a) { return {a, a * a}; }
