// Where threads meet, adjoints are added atomically, and a scalar argument's is reduced first.
__global__ void k(const double *x, double s, double *sum, const int *index) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  atomicAdd(&sum[index[i]], x[index[i]] * s);
}
