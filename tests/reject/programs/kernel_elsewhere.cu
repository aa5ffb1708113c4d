// doubled(out, in)
// CP0005
#include <cuda_runtime.h>

__global__ void twice(double *out, const double *in, int n);

void doubled(double *out, const double *in, int n) { twice<<<1, 32>>>(out, in, n); }
