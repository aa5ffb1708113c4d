// C++17's order: the right side of an assignment first.
__global__ void k(double *x, int i) {
  x[i++] = x[i] + (i + 2);
  x[i] = x[i += 2];
  x[i--] = i;
}
