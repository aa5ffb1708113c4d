// S::k(x)
// CP0006
class S {
  double a;
  __device__ double k(double x) { return a * x; }
};
