// k(x, y)
struct Cell { volatile double now; };
__global__ void k(const Cell *x, double *y) { y[0] = x[0].now * x[0].now; }
