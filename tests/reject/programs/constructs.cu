// k(o)
// What the front end refuses, all in one run.
#define LOOP for (b; b;)
struct S { double x; };
__device__ double many(int n, ...) { return n; }
__global__ void g(double *o);
__global__ void k(double *o, double d, int i, bool b) {
  throw 3;
  d = many(1, 2);
  i = *(int *)o;
  switch (i) { case 1: for (;;) { case 2: break; } }
  double a[i];
  d = ({ int t = 3; t; });
  double c[2]; for (double &e : c) e = 1;
  double *p[2];
  switch (i) { case 1 ... 3: break; }
  auto whole = threadIdx;
  double &&r = 2.0;
  char s[3] = "ab";
  switch (int t = i; t) { case 1: break; }
  switch (i) { int t; case 1: break; }
  LOOP d = 1;
  d = __builtin_bit_cast(float, i);
  S x;
  o[0] = d;
}
