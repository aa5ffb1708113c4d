// f(x)
// CP0247
__global__ void square(double *to, const double *from) { to[threadIdx.x] = from[threadIdx.x] * from[threadIdx.x]; }
void f(double *x, int n) {
  double *now = x;
  for (int i = 0; i < n; ++i) {
    double *next;
    cudaMalloc(&next, 32 * sizeof(double));
    square<<<1, 32>>>(next, now);
    now = next;
  }
  cudaMemcpy(x, now, 32 * sizeof(double), cudaMemcpyDeviceToDevice);
}
