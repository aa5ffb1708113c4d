// f(x)
// checkpoint=binomial:1G
// split=yes
// CP0318
__global__ void square(double *x, int n) {
  int i = threadIdx.x;
  if (i < n) x[i] = x[i] * x[i];
}
void f(double *x, int n, int steps) {
  for (int t = 0; t < steps; ++t) square<<<1, 32>>>(x, n);
}
