// k(r, y)
// CP0230: a union is numbers of one kind where it is local or in memory; a parameter's parts are values.
struct Rates { const double *at; struct { double s; }; union { double t; double u; }; };
__global__ void k(Rates r, double *y) {
  int i = threadIdx.x;
  y[i] = r.s * r.at[i] + r.t * r.u;
}
