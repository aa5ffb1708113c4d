// S::k(x)
// CP0006
struct S {
  double a;
  __device__ double k(double x) { return a * x; }
};
