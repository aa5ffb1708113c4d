// Threads that store one value to one element: any of them may be the one that did.

__global__ void summed(const double *x, double *y, int n) {
    const int row = threadIdx.x / 32;
    double s = 0.0;
    for (int j = threadIdx.x % 32; j < n; j += 32) s += x[row * n + j] * x[row * n + j];
    for (int d = 16; d; d /= 2) s += __shfl_xor_sync(0xffffffffu, s, d);
    y[row] = s;
}

__global__ void scaled(const double *x, double *y) {
    const int row = threadIdx.x >> 5;
    const double s = __shfl_sync(0xffffffffu, x[threadIdx.x], 7);
    y[row] = s * s;
}
