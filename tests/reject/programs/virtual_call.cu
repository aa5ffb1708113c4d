// k(x, y)
struct Shape { __device__ virtual double area(double x) = 0; };
__global__ void k(double *x, double *y, Shape *shape) { y[0] = shape->area(x[0]); }
