// f(x)
// CP0240
double f(double *x) {
  double **rows;
  cudaMalloc(&rows, 4 * sizeof(double *));
  cudaMemcpy(rows, &x, sizeof(double *), cudaMemcpyHostToDevice);
  return x[0] * x[0];
}
