// f(x, y)
// checkpoint=binomial:64K
// CP0317: nothing is launched.
void f(double *x, double *y) { y[0] = x[0] * x[0]; }
