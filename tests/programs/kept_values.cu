// Steps that overwrite more than their derivatives need: a few numbers of each thread say as much as a copy of all.

#include <cuda_runtime.h>

namespace {

// Five populations of a lattice of one dimension, which relax to what their sums say.
__global__ void stream_and_relax(double *out, const double *in, int n, double omega) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const double a = in[i], b = in[n + (i + 1) % n], c = in[2 * n + (i + n - 1) % n], d = in[3 * n + (i + 2) % n],
                 e = in[4 * n + (i + n - 2) % n];
    const double density = 1.5 + a + b + c + d + e;
    const double speed = (b - c + 2 * d - 2 * e) / density;
    const double square = speed * speed;
    out[i] = a + omega * (density * (0.5 - square) - a);
    out[n + i] = b + omega * (density * (0.2 + speed + square) - b);
    out[2 * n + i] = c + omega * (density * (0.2 - speed + square) - c);
    out[3 * n + i] = d + omega * (density * (0.05 + 2 * speed + square) - d);
    out[4 * n + i] = e + omega * (density * (0.05 - 2 * speed + square) - e);
}

// The same of sums that a loop makes, in cells that a datum chooses.
__global__ void by_loops(double *out, const double *in, int n, const double *rate) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double sum = 0.0;
    if (i < n) {
        for (int q = 0; q < 4; ++q) sum += in[q * n + i];
    } else {
        return;
    }
    double factor = 1.0;
    if (sum > 0.2)
        factor = exp(-rate[0] * sum);
    for (int q = 0; q < 4; ++q) out[q * n + i] = 0.5 * in[q * n + (i + q) % n] + 0.1 * factor * q;
}

// Two fields of a cell give one number that counts.
__global__ void in_place(float *u, float *v, float *w, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float strength = sinf(u[i] + v[i] + w[i]);
    u[i] = u[i] + 0.25f * strength * strength;
    v[i] = 0.5f * v[i] + strength;
    w[i] -= 0.125f * strength;
}

__device__ __noinline__ double pressed(const double *state, int at, double by) { return state[at] * by; }

// What a function reads, and what a block shares.
__global__ void by_blocks(double *out, const double *in, int n, double by) {
    __shared__ double sums[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double a = 0, b = 0;
    if (i < n) {
        a = pressed(in, i, by);
        b = in[n + i];
    }
    sums[threadIdx.x] = a * b;
    __syncthreads();
    const double total = sums[threadIdx.x] + sums[(threadIdx.x + 1) % blockDim.x];
    if (i < n) {
        out[i] = 0.5 * a + 0.1 * total * total;
        out[n + i] = b - 0.1 * total;
        out[2 * n + i] = in[2 * n + i] + 0.2 * total - 0.1 * in[3 * n + (i + 1) % n];
        out[3 * n + i] = 0.9 * in[3 * n + i] + total;
    }
}

__device__ double coefficients[2];

__device__ __noinline__ double shaped(double v) { return coefficients[0] * v * v + coefficients[1] * sin(v); }

// A function reads by its name what the program changes.
__global__ void by_variable(double *u, double *v, double *w, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const double strength = shaped(u[i] + v[i] + w[i]);
    u[i] += 0.1 * strength;
    v[i] -= 0.2 * strength;
    w[i] = 0.5 * w[i] + strength;
}

// This one needs all of it.
__global__ void squares(double *sum, const double *in, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) atomicAdd(sum, in[i] * in[i]);
}

// What a recursive function makes of one number of the cell.
__device__ double series(const double *c, double x, int k) { return k == 0 ? c[0] : series(c, x, k - 1) * x + c[k]; }

__global__ void by_recursion(double *out, const double *in, const double *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const double sum = in[i] * in[(i + 1) % n] + sin(in[(i + 2) % n]) * in[(i + 3) % n];
    out[i] = 0.2 * series(c, 0.3 * sum, 3) + 0.1 * sum * sum;
}

// The same of what is overwritten.
__global__ void of_neighbours(double *out, const double *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 0.3 * series(in + i, 0.5 * in[i], 2) * sin(in[i] + in[(i + 1) % n]);
}

struct Two {
    double a, b;
};

__device__ Two both(double x, int depth) {
    if (depth == 0) return {x, x * x};
    Two t = both(x, depth - 1);
    t.a += t.b * x;
    return t;
}

// A count of the block's, an array, what a function returns, and a parameter with the name of what is kept.
__global__ void of_all_kinds(double *out, const double *in, int n, double _kept_double) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int there = __syncthreads_count(i < n);
    if (i >= n) return;
    double cell[4] = {0, 0, 0, 0};
    for (int q = 0; q < 4; ++q) cell[(q + there) % 4] = in[q * n + i] * (q + 1);
    const Two t = both(in[i], 2);
    const double s = cell[there % 4] + cell[1] * cell[2] + t.a * t.b;
    const double factor = exp(-s * s);
    for (int q = 0; q < 4; ++q) out[q * n + i] = in[q * n + i] * 0.5 + _kept_double * factor;
}

// With weights that change as well.
__global__ void weighted(double *out, const double *in, const double *w, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const double s = (in[i] + in[n + i] + in[2 * n + i] + in[3 * n + i]) * (w[i] + w[n + i]);
    const double factor = exp(-s * s);
    for (int q = 0; q < 4; ++q) out[q * n + i] = 0.1 * q + factor;
}

__global__ void moved_on(double *w, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) w[i] = 0.5 * w[i] + 0.25;
}

__device__ int around(int at, int n) { return at < n ? at : at - n; }

// A launch may have more rows than there are: then some come to cells of others.
__global__ void sum_of_rows(double *sum, const double *in, int nx, int ny) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= nx) return;
    const double s = in[y * nx + x] + in[nx * ny + around(y + 1, ny) * nx + x];
    atomicAdd(sum, s * sin(s));
}

}  // namespace

void lattice(double *state, double *other, int n, double omega, int steps) {
    for (int k = 0; k < steps; ++k) {
        stream_and_relax<<<(n + 31) / 32, 32>>>(other, state, n, omega);
        double *t = state;
        state = other;
        other = t;
    }
}

double lattice_of_its_own(const double *start, int n, double omega, int steps) {
    double *a, *b, *sum, value;
    cudaMalloc(&a, 5 * n * sizeof(double));
    cudaMalloc(&b, 5 * n * sizeof(double));
    cudaMalloc(&sum, sizeof(double));
    cudaMemset(sum, 0, sizeof(double));
    cudaMemcpy(a, start, 5 * n * sizeof(double), cudaMemcpyHostToDevice);
    for (int k = 0; k < steps; ++k) {
        stream_and_relax<<<(n + 31) / 32, 32>>>(b, a, n, omega);
        stream_and_relax<<<(n + 31) / 32, 32>>>(a, b, n, omega);
    }
    squares<<<(5 * n + 31) / 32, 32>>>(sum, a, 5 * n);
    cudaMemcpy(&value, sum, sizeof(double), cudaMemcpyDeviceToHost);
    cudaFree(a);
    cudaFree(b);
    cudaFree(sum);
    return value;
}

void recursions(double *state, double *other, const double *c, int n, int steps) {
    for (int k = 0; k < steps; ++k) {
        by_recursion<<<(n + 31) / 32, 32>>>(other, state, c, n);
        of_neighbours<<<(n + 31) / 32, 32>>>(state, other, n);
    }
}

void loops(double *state, double *other, const double *rate, int n, int steps) {
    for (int k = 0; k < steps; ++k) {
        by_loops<<<(n + 31) / 32, 32>>>(other, state, n, rate);
        by_loops<<<(n + 31) / 32, 32>>>(state, other, n, rate);
    }
}

void fields(float *u, float *v, float *w, int n, int steps) {
    for (int k = 0; k < steps; ++k) in_place<<<2, 32>>>(u, v, w, n);
}

void variables(double *u, double *v, double *w, const double *given, int n, int steps) {
    for (int k = 0; k < steps; ++k) {
        cudaMemcpyToSymbol(coefficients, given + 2 * k, 2 * sizeof(double));
        by_variable<<<2, 32>>>(u, v, w, n);
    }
}

void blocks(double *state, double *other, int n, double by, int steps) {
    for (int k = 0; k < steps; ++k) {
        by_blocks<<<(n + 31) / 32, 32>>>(other, state, n, by);
        by_blocks<<<(n + 31) / 32, 32>>>(state, other, n, by);
    }
}

// In every other step somebody needs the whole state: then a copy serves both.
void watched(double *state, double *other, double *sum, int n, double omega, int steps) {
    for (int k = 0; k < steps; ++k) {
        stream_and_relax<<<(n + 31) / 32, 32>>>(other, state, n, omega);
        if (k % 2 == 0) squares<<<(5 * n + 31) / 32, 32>>>(sum, other, 5 * n);
        stream_and_relax<<<(n + 31) / 32, 32>>>(state, other, n, omega);
    }
}

// A part of what a step has read is overwritten, then all of it; and its other argument before that.
void in_parts(double *state, double *other, const double *rim, int n, double omega, int steps) {
    for (int k = 0; k < steps; ++k) {
        stream_and_relax<<<(n + 31) / 32, 32>>>(other, state, n, omega);
        cudaMemcpy(state, rim, n * sizeof(double), cudaMemcpyDefault);
        stream_and_relax<<<(n + 31) / 32, 32>>>(state, other, n, omega);
        cudaMemcpy(other + n, state, n * sizeof(double), cudaMemcpyDeviceToDevice);
        cudaMemset(other, 0, n * sizeof(double));
    }
}

// The host stores to what kernels read: nobody may compute with it later.
double by_the_host(const double *start, int n, double omega, int steps) {
    double *a, *b;
    cudaMallocManaged(&a, 5 * n * sizeof(double));
    cudaMallocManaged(&b, 5 * n * sizeof(double));
    for (int i = 0; i < 5 * n; ++i) a[i] = start[i];
    for (int k = 0; k < steps; ++k) {
        stream_and_relax<<<(n + 31) / 32, 32>>>(b, a, n, omega);
        cudaDeviceSynchronize();
        for (int i = 0; i < 5 * n; ++i) a[i] = 0.5 * a[i] + b[i];
    }
    double sum = 0.0;
    for (int i = 0; i < 5 * n; ++i) sum += a[i] * a[i];
    cudaFree(a);
    cudaFree(b);
    return sum;
}

void kinds(double *state, double *other, int n, double by, int steps) {
    for (int s = 0; s < steps; ++s) {
        of_all_kinds<<<(n + 15) / 16, 16>>>(other, state, n, by);
        of_all_kinds<<<(n + 15) / 16, 16>>>(state, other, n, by);
    }
}

// The first weights change, the others do not.
void by_weights(double *state, double *other, double *w, const double *v, int n, int steps) {
    for (int s = 0; s < steps; ++s) {
        weighted<<<(n + 15) / 16, 16>>>(other, state, w, n);
        moved_on<<<(2 * n + 15) / 16, 16>>>(w, 2 * n);
        weighted<<<(n + 15) / 16, 16>>>(state, other, w, n);
    }
    for (int s = 0; s < steps; ++s) {
        weighted<<<(n + 15) / 16, 16>>>(other, state, v, n);
        weighted<<<(n + 15) / 16, 16>>>(state, other, v, n);
    }
}

void rows(double *state, double *sum, int nx, int ny, int steps) {
    for (int k = 0; k < steps; ++k) {
        sum_of_rows<<<dim3((nx + 7) / 8, ny + k % 2), 8>>>(sum, state, nx, ny);
        moved_on<<<(2 * nx * ny + 31) / 32, 32>>>(state, 2 * nx * ny);
    }
}
