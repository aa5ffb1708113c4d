// k(x, y)
// CP0274
struct Cell {
  double now, last;
};
__global__ void k(const double *x, double *y, const int *at) {
  __shared__ volatile Cell s[64];
  int t = at[threadIdx.x];
  s[t].now = x[t] * x[t];
  s[t + 32].now = 0.0;
  s[t].now += s[t + 16].now;
  s[t].now += s[t + 8].now;
  if (t == 0) y[0] = s[0].now * s[0].now;
}
