// Solver::run(x, y)
// CP0244
template <class F>
__global__ void each(F f, int n) { if (threadIdx.x < n) f(threadIdx.x); }
struct Solver {
  double k;
  void run(const double *x, double *y, int n) const {
    each<<<1, 32>>>([=] __device__(int i) { y[i] = k * x[i]; }, n);
  }
};
