// f(x, n)
#include <vector>
struct Cell { double v[2]; };
struct Block { Cell c[3]; double *p; };
__global__ void k(double *x, int n) { x[threadIdx.x] *= x[n]; }
double f(double *x, int n) {
  std::vector<std::vector<Block>> a(n, std::vector<Block>(n));
  double **at = (double **)malloc(8 * n);
  for (int i = 0; i < n; ++i) at[i] = &a[i][i].c[1].v[1];
  k<<<1, 4>>>(x, n);
  return *at[n - 1] * x[0];
}
