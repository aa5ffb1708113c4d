// k(x, v)
// CP0312: an adjoint has a place for the numbers beside pointers, but not for those in an array of such objects.
struct Level { double *data; double scale; int n; float origin[2]; };
struct View { Level levels[2]; double gain; };
__global__ void k(const double *x, View v) {
  int i = threadIdx.x;
  if (i < v.levels[0].n) v.levels[1].data[i] = x[i] * v.levels[1].scale * v.levels[0].data[i] * v.gain;
}
