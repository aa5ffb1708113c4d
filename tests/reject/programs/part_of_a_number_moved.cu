// k(x, y)
// CP0232
__global__ void k(const float *x, float *y) {
  float2 a = {x[0] * x[0], x[1]}, b = {0, 0};
  *(short *)&b = *(short *)&a;
  y[0] = b.x;
}
