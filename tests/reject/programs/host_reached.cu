// f(x)
// CP0102: in host code it is refused where the program comes to it, and only there.
double f(double x, int n) {
  double y = 0;
  cudaError_t error = cudaSuccess;
  if (error != cudaSuccess) goto failed;
  y = x * x;
  if (n > 0) asm("nop");
  return y;
failed:
  return 0;
}
