// k(x, y)
// C++17 has the right side first; g++ does not where the left one writes what the right one reads.
__global__ void k(const double *x, double *y) {
  double a[2] = {x[0], x[1]};
  int k = 0;
  a[k] += a[++k];
  k = 0;
  a[k++] += a[k];
  y[0] = a[0] * a[1];
}
