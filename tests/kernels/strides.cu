// Loops whose counters pass the end of their type, or are narrower than what they are compared with.

__global__ void past_zero(const double *x, double *y, unsigned first, unsigned last) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double s = 0.0;
    for (unsigned j = first; j != last; ++j) s = 0.5 * s + x[i] * x[i] * (double)(j % 7u);
    y[i] = s;
}

__global__ void past_zero_downwards(const double *x, double *y, unsigned first, unsigned last) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double s = x[i];
    for (unsigned j = first; j != last; --j) s = sin(s) + x[i] * (double)(j % 5u);
    y[i] = s;
}

__global__ void narrow(const double *x, double *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double s = 0.0;
    for (unsigned char j = 250; j != (unsigned char)n; ++j) s += x[i] * s + x[i] * (double)j;
    y[i] = s;
}

__global__ void by_blocks(const float *x, float *y, int n) {
    float s = 0.0f;
    for (unsigned j = threadIdx.x; j < (unsigned)n; j += blockDim.x) s += x[j] * x[j];
    y[blockIdx.x * blockDim.x + threadIdx.x] = s * s;
}

// Steps that are made in another type than the counter's.
__global__ void converted(const double *x, double *y, int n, unsigned step) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double s = 0.0;
    for (int k = 0; k < n; k = (int)((unsigned)k + step)) s += x[k] * x[i];
    for (int k = n - 1; k > 0; k = (int)((unsigned)k - 2u)) s += x[k] * s;
    for (int k = 1; k < n; k = (int)(2u * (unsigned)k)) s += x[k] * x[k];
    for (int k = 0; k < n; k = (int)(step + 100u)) s += x[k] * x[i];
    for (int k = 1; k < n; k = (int)(1.5f + k)) s += x[k] * s;
    for (long k = 0; k < n; k = (int)k + 1) s += x[k] * x[k];
    y[i] = s;
}
