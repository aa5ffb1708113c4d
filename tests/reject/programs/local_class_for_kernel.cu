// local(y, x, w)
// CP0244
template <class T>
__global__ void generic(double *y, T t, const double *x) { y[threadIdx.x] = t.w * x[threadIdx.x]; }
void local(double *y, const double *x, double w) {
  struct Local {
    double w;
  };
  generic<<<1, 4>>>(y, Local{w}, x);
}
