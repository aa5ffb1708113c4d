// f(cells)
struct Cell {
  double mass, x;
};
double f(const Cell *cells, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += (size_t)&cells[i].x % 16 == 8 ? cells[i].mass : 0;
  return sum;
}
