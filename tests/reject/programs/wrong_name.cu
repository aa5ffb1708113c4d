// k(input, y, z)
// CP0304: several in one run.
__global__ void k(double *inputs, double *y) { y[threadIdx.x] = inputs[threadIdx.x]; }
