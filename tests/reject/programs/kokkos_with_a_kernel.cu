// run(x)
// CP0530
#include <Kokkos_Core.hpp>
__global__ void square(double *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i] * x[i];
}
void run(const Kokkos::View<double *> &x) { square<<<1, 32>>>(x.data(), 32); }
