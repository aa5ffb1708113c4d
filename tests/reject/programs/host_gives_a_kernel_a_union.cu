// f(x)
union Number {
  double a, b;
};
struct Given {
  Number u;
  double *p;
};
__global__ void k(Given x) { x.p[threadIdx.x] *= x.u.a; }
void f(double *x) {
  Given given;
  given.u.a = x[0];
  given.p = x;
  k<<<1, 4>>>(given);
}
