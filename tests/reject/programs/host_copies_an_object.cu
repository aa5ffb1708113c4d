// f(x)
// CP0245
struct Two { double a; int n; };
double f(double *x) {
  Two two;
  cudaMemcpy(&two, x, sizeof(Two), cudaMemcpyDeviceToHost);
  return two.a;
}
