// f(x)
// CP0263
__device__ double f(double x) { return x + __shfl_xor_sync(0xffffffff, x, 1); }
