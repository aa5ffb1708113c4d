// Tiles of which the last is a shorter one: what an iteration leaves out of it, it does not read.
#define T 32

// Read up to what is left.
__global__ void counted(const double *x, const int *order, double *y, int n) {
    __shared__ double tile[T];
    int lane = threadIdx.x;
    double sum = 0, left = 1;
    for (int first = 0; first < n; first += T) {
        if (first + lane < n) tile[lane] = x[order[first + lane]];
        __syncthreads();
        int count = n - first < T ? n - first : T;
        for (int k = 0; k < count; ++k) {
            sum += left * tile[k] * (lane + 1);
            left *= 1 - tile[k] * tile[k];
        }
        __syncthreads();
    }
    y[blockIdx.x * blockDim.x + lane] = sum;
}

// In blocks of two dimensions, until all threads have enough; what is left is counted down beside the tiles.
__global__ void blended(const double *x, const double *w, double *y, int begin, int end) {
    __shared__ double tile[T], weight[T];
    const int rank = threadIdx.y * blockDim.x + threadIdx.x;
    const int rounds = (end - begin + T - 1) / T;
    int left = end - begin;
    bool done = false;
    double through = 1, sum = 0;
    for (int i = 0; i < rounds; ++i, left -= T) {
        if (__syncthreads_count(done) == T) break;
        int progress = i * T + rank;
        if (begin + progress < end) {
            tile[rank] = x[begin + progress];
            weight[rank] = w[begin + progress];
        }
        __syncthreads();
        for (int j = 0; !done && j < min(T, left); ++j) {
            double alpha = min(0.9, tile[j] * tile[j] * (0.5 + 0.01 * rank));
            if (alpha < 0.01) continue;
            double rest = through * (1 - alpha);
            if (rest < 0.02) {
                done = true;
                continue;
            }
            sum += weight[j] * alpha * through;
            through = rest;
        }
    }
    y[blockIdx.x * T + rank] = sum + through;
}

// Several elements of a thread, and a tile with a border that only one thread loads.
__global__ void in_pairs(const double *x, double *y, int n) {
    __shared__ double tile[2 * T];
    int lane = threadIdx.x;
    double sum = 1;
    for (int first = 0; first < n; first += 2 * T) {
        for (int j = 0; j < 2; ++j)
            if (lane + j * T < n - first) tile[lane + j * T] = x[first + lane + j * T];
        __syncthreads();
        for (int k = 0; k < 2 * T && first + k < n; ++k) sum += sin(sum) * tile[k];
        __syncthreads();
    }
    y[blockIdx.x * blockDim.x + lane] = sum;
}

// What is left out is read: it is what an earlier tile has left there.
__global__ void stale(const double *x, double *y, int n) {
    __shared__ double tile[T];
    int lane = threadIdx.x;
    double sum = 1;
    for (int first = 0; first < n; first += T) {
        if (first + lane < n) tile[lane] = x[first + lane];
        __syncthreads();
        for (int k = 0; k < T; ++k) sum += sin(sum) * tile[k];
        __syncthreads();
    }
    y[blockIdx.x * blockDim.x + lane] = sum;
}

// One too many is read: that behind the last is stale.
__global__ void one_more(const double *x, double *y, int n) {
    __shared__ double tile[T];
    int lane = threadIdx.x;
    double sum = 1;
    for (int first = 0; first < n; first += T) {
        if (first + lane < n) tile[lane] = x[first + lane];
        __syncthreads();
        for (int k = 0; k <= n - first && k < T; ++k) sum += sin(sum) * tile[k];
        __syncthreads();
    }
    y[blockIdx.x * blockDim.x + lane] = sum;
}

// The guard is another for each thread than for the index.
__global__ void elsewhere(const double *x, const int *until, double *y, int n) {
    __shared__ double tile[T];
    int lane = threadIdx.x;
    double sum = 1;
    for (int first = 0; first < n; first += T) {
        if (first == 0 || first + lane < min(n, until[lane])) tile[lane] = x[first + lane];
        __syncthreads();
        for (int k = 0; k < T && first + k < n; ++k) sum += sin(sum) * tile[k];
        __syncthreads();
    }
    y[blockIdx.x * blockDim.x + lane] = sum;
}

// Comparisons of unsigned numbers, in which what is below zero would be large.
__global__ void unsigned_counts(const double *x, double *y, unsigned n) {
    __shared__ double tile[T];
    double sum = 1;
    for (unsigned first = 0; first < n; first += T) {
        if (first + threadIdx.x < n) tile[threadIdx.x] = x[first + threadIdx.x];
        __syncthreads();
        for (unsigned k = 0; k < min(n - first, (unsigned)T); ++k) sum += sin(sum) * tile[k];
        __syncthreads();
    }
    y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Points of three coordinates that the threads of a block load by turns, for each of several clouds.
__global__ void clouds(const double *x, const double *points, double *y, int many, int n) {
    __shared__ double tile[3 * T];
    const int lane = threadIdx.x;
    for (int b = blockIdx.x; b < many; b += gridDim.x) {
        double sum = 1;
        for (int first = 0; first < n; first += T) {
            const int count = min(n, first + T) - first;
            for (int j = lane; j < 3 * count; j += blockDim.x) tile[j] = points[(b * n + first) * 3 + j];
            __syncthreads();
            for (int k = 0; k < count; ++k) {
                const double u = tile[3 * k] - x[lane], v = tile[3 * k + 1], w = tile[3 * k + 2];
                sum += sin(sum) * u * v * w;
            }
            __syncthreads();
        }
        y[b * blockDim.x + lane] = sum;
    }
}

// What a longer iteration has left is read by a shorter one.
__global__ void left_by_longer(const double *x, double *y, int n) {
    __shared__ double tile[T];
    const int lane = threadIdx.x;
    double sum = 1;
    for (int first = 0; first < n; first += T) {
        const int count = min(n - first, T);
        for (int j = lane; j < count; j += blockDim.x) tile[j] = x[first + j];
        __syncthreads();
        for (int k = 0; k < T; ++k) sum += sin(sum) * tile[k];
        __syncthreads();
    }
    y[blockIdx.x * blockDim.x + lane] = sum;
}
