// y = a * x + y, with a device function and a bounds check: the smallest kernel that shows adjoints of a scalar, of an
// input and of an argument that is updated in place.
__device__ double scaled(double a, double x) { return a * x; }

__global__ void axpy(int n, double a, const double *x, double *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += scaled(a, x[i]);
}
