// Sums over what a block shares, in tiles: each thread reads what many others read.

#define TILE 8

// Tiles that are not square, products of three.
template <class T>
__global__ void product(const T *a, const T *b, const T *w, T *c, int rows, int inner, int columns) {
    __shared__ T as[4][TILE], bs[TILE][16], ws[TILE];
    const int row = blockIdx.y * 4 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
    T sum = 0;
    for (int start = 0; start < inner; start += TILE) {
        if (threadIdx.x < TILE)
            as[threadIdx.y][threadIdx.x] =
                row < rows && start + threadIdx.x < inner ? a[row * inner + start + threadIdx.x] : T(0);
        for (int k = threadIdx.y; k < TILE; k += 4)
            bs[k][threadIdx.x] = start + k < inner && column < columns ? b[(start + k) * columns + column] : T(0);
        if (threadIdx.y == 0 && threadIdx.x < TILE)
            ws[threadIdx.x] = start + threadIdx.x < inner ? w[start + threadIdx.x] : T(0);
        __syncthreads();
        for (int k = 0; k < TILE; ++k) sum += as[threadIdx.y][k] * bs[k][threadIdx.x] * ws[k];
        __syncthreads();
    }
    if (row < rows && column < columns) c[row * columns + column] = sum * sum;
}

// All pairs by tiles of a block: every thread reads all that the tile has.
__global__ void pairs(const float *x, const float *y, const float *mass, float *force, int n) {
    __shared__ float xs[64], ys[64], ms[64];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float own_x = i < n ? x[i] : 0.0f, own_y = i < n ? y[i] : 0.0f;
    float sum = 0.0f;
    for (int start = 0; start < n; start += 64) {
        for (int k = threadIdx.x; k < 64; k += blockDim.x) {
            xs[k] = start + k < n ? x[start + k] : 0.0f;
            ys[k] = start + k < n ? y[start + k] : 0.0f;
            ms[k] = start + k < n ? mass[start + k] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < 64; ++k) {
            const float dx = xs[k] - own_x, dy = ys[k] - own_y;
            const float square = dx * dx + dy * dy + 0.5f;
            sum += ms[k] / (square * sqrtf(square));
        }
        __syncthreads();
    }
    if (i < n) force[i] = sum;
}

// The carried number is not only a sum: what each turn adds depends on it.
__global__ void recurrence(const double *x, const double *w, double *out, int n) {
    __shared__ double ws[16];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x < 16) ws[threadIdx.x] = w[threadIdx.x];
    __syncthreads();
    double state = i < n ? x[i] : 0.25;
    for (int k = 0; k < 16; ++k) state = 0.5 * state + ws[k] * sin(state);
    double sum = 0.0;
    for (int k = 0; k < 16; ++k) sum += ws[k] * state;
    if (i < n) out[i] = sum;
}

// Elements that several turns come to, and threads in three dimensions.
__global__ void folded(const double *x, double *out) {
    __shared__ double xs[24];
    const int own = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    if (own < 24) xs[own] = x[own];
    __syncthreads();
    double sum = 0.0;
    const double factor = 1.0 + 0.125 * threadIdx.y + 0.5 * threadIdx.z;
    for (int k = 0; k < 10; ++k) sum += factor * xs[(k % 3) * 4 + threadIdx.x] * xs[(k % 3) * 4 + threadIdx.x];
    __syncthreads();
    out[(blockIdx.x * 24 + own) % 48] = sum;
}
