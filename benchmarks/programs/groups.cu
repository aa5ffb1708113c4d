// The products of mirrored elements of a block once more, with a barrier of cooperative groups.
#include <cooperative_groups.h>

__global__ void ctasync_groups(const double *x, double *y) {
  __shared__ double s[1024];
  const int t = static_cast<int>(threadIdx.x), i = static_cast<int>(blockIdx.x * blockDim.x) + t;
  s[t] = x[i];
  cooperative_groups::this_thread_block().sync();
  y[i] = s[t] * s[1023 - t];
}
