// k(x)
// CP0227
struct Series { double terms[3]; };
__global__ void k(double *x, Series own) {
  atomicAdd(&own.terms[1], x[threadIdx.x]);
  x[threadIdx.x] = own.terms[1];
}
