// f(x)
// CP0226
__device__ double f(const double *x, int *count) { return x[0] * x[0] * atomicAdd(count, 1); }
