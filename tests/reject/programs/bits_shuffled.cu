// k(x, y, z)
// CP0310: the halves come from different lanes.
__global__ void k(const double *x, double *y, double *z) {
  int low = __shfl_xor_sync(0xffffffffu, __double2loint(x[threadIdx.x]), 1);
  int high = __shfl_xor_sync(0xffffffffu, __double2hiint(x[threadIdx.x]), 2);
  y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x];
  z[threadIdx.x] = __hiloint2double(high, low);
}
