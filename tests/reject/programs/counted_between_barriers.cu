// k(x, y)
// How often the loop runs depends on stores that the counting launch would have to make between barriers.
__global__ void k(double *x, double *y, int n) {
  const int i = threadIdx.x;
  __shared__ double s[32];
  double a = x[i];
  while (y[i] > 1.0) {
    a = sin(a) * y[i];
    y[i] = 0.5 * y[i];
  }
  s[i] = a;
  __syncthreads();
  x[i] = s[31 - i] * a;
}
