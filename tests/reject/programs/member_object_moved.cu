// k(cells, y)
// CP0235
struct Vec {
  double x, y, z;
};
struct Cell {
  Vec position, velocity;
};
__global__ void k(const Cell *cells, double *y) {
  const Vec *position = &cells[threadIdx.x].position;
  y[threadIdx.x] = position[1].x;
}
