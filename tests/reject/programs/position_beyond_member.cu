// k(cells, y)
// CP0232
struct Vec {
  double x, y, z;
};
struct Cell {
  Vec position, velocity;
};
__global__ void k(const Cell *cells, double *y) {
  const double *position = &cells[threadIdx.x].position.x;
  y[threadIdx.x] = position[3];
}
