// f(grids)
// CP0233
struct Grids {
  double *u[3];
};
void f(Grids *grids, int n) {
  for (int k = 1; k < 3; ++k) {
    for (int i = 0; i < n; ++i) grids->u[k][i] *= grids->u[k - 1][i];
    grids->u[k] = grids->u[0];
  }
}
