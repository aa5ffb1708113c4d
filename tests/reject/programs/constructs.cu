// k(o)
// What the front end refuses, all in one run.
#define LOOP for (b; b;)
__device__ double many(int n, ...) { return n; }
__global__ void g(double *o);
__global__ void k(double *o, double d, int i, bool b) {
  throw 3;
  d = many(1, 2);
  double a[i];
  d = ({ if (i) return; 3; });
  switch (i) { case 1 ... 3: break; }
  char s[3] = u8"ab";
  switch (i = 3; i) { case 1: break; }
  LOOP d = 1;
  d = __builtin_bit_cast(float, i);
  o[0] = d;
}
