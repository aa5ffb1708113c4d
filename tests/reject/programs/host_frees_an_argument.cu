// f(x)
// CP0241: a warning; what is wrong besides is that there is nothing to differentiate.
void f(double *x, double *y) { cudaFree(x); }
