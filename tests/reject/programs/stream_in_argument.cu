// f(s, y)
#include <cuda_runtime.h>
struct Setup { cudaStream_t stream; double scale; };
__global__ void k(double a, double *y) { *y = a * a; }
void f(Setup s, double *y) { k<<<1, 1, 0, s.stream>>>(s.scale, y); }
