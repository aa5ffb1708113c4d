// f(x)
// CP0521
__global__ void square(double *to, const double *from) { to[threadIdx.x] = from[threadIdx.x] * from[threadIdx.x]; }
void f(double *x, int n) {
  double *mine = (double *)malloc(32 * sizeof(double));
  square<<<1, 32>>>(mine, x);
  cudaMemcpy(x, mine, 32 * sizeof(double), cudaMemcpyHostToDevice);
}
