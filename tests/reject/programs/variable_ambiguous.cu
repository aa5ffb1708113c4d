// k(y, w)
// CP0316
namespace a { __device__ double w = 1; }
namespace b { __device__ double w = 2; }
__global__ void k(double *y) { y[threadIdx.x] = a::w * b::w; }
