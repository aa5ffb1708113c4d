// k(p, y)
struct Pair { double a, b; };
__global__ void k(Pair p, double *y) { y[0] = p.a * p.b; }
