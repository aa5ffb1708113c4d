// f(x)
// CP0242
double f(double *x) {
  double a = x[0];
  cudaMemcpy(&a, x + 1, 4, cudaMemcpyDeviceToHost);
  return a * a;
}
