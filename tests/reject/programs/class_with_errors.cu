// f(x, y)
// CP0001
struct Node { int n; missing_t *next; double v; };
void f(const double *x, double *y) { Node p; p.n = 2; y[0] = x[0] * p.n; }
