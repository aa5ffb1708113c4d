// k(x, y)
struct Mixed { float a; double b; };
__global__ void k(const Mixed *x, double *y, int n) {
  const float *p = &x->a;
  *y = p[2] * x->b;
}
