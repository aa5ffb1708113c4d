typedef double real;
__device__ __forceinline__ int wrapped(int at, int n) { return at < 0 ? at + n : at >= n ? at - n : at; }
struct Pair {
  real *now, *next;
  void flip() { std::swap(now, next); }
};
__global__ void step1(real *o0, const real *a0, const real *coefficients, int nx, int ny) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= nx) return;
  const real v0 = a0[wrapped(y - 1, ny) * nx + x % nx];
  const real v1 = a0[0];
  o0[0] = 0.9 * v0 + 0.1 * coefficients[0] * v0 * v0;
}
void program(real *u0, real *v0, const real *coefficients, int nx, int ny, int steps) {
    Pair pair0 = {u0, v0};
    for (int t = 0; t < steps; t++) {
      step1<<<dim3(nx / 32, ny), 32>>>(pair0.next, pair0.now, coefficients, nx, ny);
      pair0.flip();
    }
}
