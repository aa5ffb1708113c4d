// k(x, y)
// CP0231
struct Flags {
  int up : 3;
  int down : 5;
};
__global__ void k(double *x, double *y, Flags flags) {
  flags.up = 2;
  y[0] = x[0] * flags.up;
}
