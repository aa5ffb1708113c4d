// f(x)
struct Given {
  int b : 3;
  double *p;
};
__global__ void k(Given x) { x.p[threadIdx.x] *= x.b; }
void f(double *x) {
  Given given{1, x};
  k<<<1, 4>>>(given);
}
