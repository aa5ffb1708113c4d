// Arithmetic in int, and back.
__global__ void k(int *x, unsigned char c, short s) {
  c += 200;
  s = c << 3;
  ++s;
  x[0] = c - s;
  x[1] = -1 / 2u;
}
