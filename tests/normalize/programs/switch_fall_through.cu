__global__ void k(double *x, int n) {
  switch (n) {
    case 1: x[0] = 1;
    case 2:
    case 3: x[1] = 2; break;
    default: x[2] = 3;
  }
}
