// Time steps from one buffer to the other and back: the adjoints that a step has taken are replaced by the next one, where
// these are the same elements.

#include <cuda_runtime.h>

namespace {

__device__ __forceinline__ int wrapped(int at, int n) { return at < 0 ? at + n : at >= n ? at - n : at; }

// Three populations that move around a ring and mix.
__global__ void ring(double *out, const double *in, int n, double rate) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const double a = in[i], b = in[n + wrapped(i - 1, n)], c = in[2 * n + (i + 1) % n];
    const double mean = (a + b + c) / 3;
    out[i] = a + rate * (mean * mean - a);
    out[n + i] = b + rate * (mean - b);
    out[2 * n + i] = c + rate * (0.5 * mean - c);
}

// The same in a box, of which a launch may cover a part only.
__global__ void box(float *out, const float *in, int nx, int ny, float rate) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= nx) return;
    const int n = nx * ny;
    const float a = in[wrapped(y - 1, ny) * nx + wrapped(x + 1, nx)], b = in[n + y * nx + wrapped(x - 1, nx)];
    out[y * nx + x] = a + rate * a * b;
    out[n + y * nx + x] = b - rate * sinf(a);
}

__global__ void pointwise(float *next, const float *now, int n, float rate) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) next[i] = now[i] + rate * sinf(now[i]);
}

// The same guard in other words, and one that only a parameter decides.
__global__ void told_otherwise(float *next, const float *now, int n, int all, float rate) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const bool outside = i >= n;
    if (!outside && all > 0) next[i] = now[i] + rate * sinf(now[i]);
}

// Two fields at once, with a coefficient for each cell.
__global__ void fields(double *u1, double *v1, const double *u0, const double *v0, const double *k, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const double u = u0[i], v = v0[i];
    u1[i] = u + 0.1 * k[i] * u * v;
    v1[i] = v - 0.1 * k[i] * u * u;
}

// Where elements are not those that are stored, for reasons that are found at different points.
__global__ void turned(double *next, const double *now, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 32) next[i] = sin(now[i / 4 * 4 + 3 - i % 4]);
}

__global__ void around_the_first(double *next, const double *now, int n, int all) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && all > 0) next[i] = sin(now[wrapped(i - 1, n)]);
}

__global__ void below_thirty(double *next, const double *now, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < min(n, 30)) next[i] = now[i] * now[i];
}

// What a loop keeps belongs to the gradient, and not to what clears.
__global__ void iterated(double *next, const double *now, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double a = now[i];
    for (int k = 0; k <= i % 5; ++k) a = 0.5 * tanh(a * (k + 1)) + 0.3 * cos(a) + 0.2 * a;
    next[i] = a;
}

// Cells that a mask leaves alone.
__global__ void masked(double *out, const double *in, const int *mask, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || mask[i] != 0) return;
    out[i] = 0.5 * in[(i + 1) % n] * in[(i + 1) % n];
}

// A launch does nothing where a number is too small.
__global__ void gated(double *out, const double *in, int n, double rate) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || rate < 0.25) return;
    out[i] = rate * in[i] + sin(in[i]);
}

// Beyond a border the cells stay as they are: what is read lies there as well.
__global__ void border(double *out, const double *in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || i < 2) return;
    out[i] = in[(i + 1) % n] * 1.5;
}

// Each cell's content is read from one place and counted by another.
__global__ void skewed(double *out, const double *in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i + n * i] = 0.9 * in[(i + 1) % n + n * i] + 0.1 * in[(i + 1) % n + n * i] * in[(i + 1) % n + n * i];
}

// What is read around a cell is gathered: the inner cells are replaced, those of the rim are added to.
__global__ void heat(double *out, const double *in, int n, int m, double k) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x < 1 || x >= n - 1 || y < 1 || y >= m - 1) return;
    const double u = in[y * n + x];
    out[y * n + x] = u + k * u * (in[y * n + x - 1] + in[y * n + x + 1] + in[(y - 1) * n + x] + in[(y + 1) * n + x] - 4 * u);
}

// Two fields that act on each other.
__global__ void reaction(float *u1, float *v1, const float *u0, const float *v0, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 1 || i >= n - 1) return;
    const float u = u0[i], v = v0[i], r = 0.02f * u * v * v;
    u1[i] = u + 0.1f * (u0[i - 1] - 2 * u + u0[i + 1]) - r;
    v1[i] = v + 0.05f * (v0[i - 1] - 2 * v + v0[i + 1]) + r - 0.06f * v;
}

// The rim is copied, so that all cells are replaced.
__global__ void with_rim(double *out, const double *in, int n, int m) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= m) return;
    const int c = y * n + x;
    if (x < 1 || y < 1 || x >= n - 1 || y >= m - 1) {
        out[c] = in[c];
        return;
    }
    out[c] = in[c] + 0.1 * in[c] * (in[c + 1] - in[c - 1]) - 0.1 * (in[c + n] + in[c - n]);
}

// A cell is stored to by the thread on its left, which reads it as well.
__global__ void beside(double *out, const double *in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n - 1) out[i + 1] = in[i] * in[i + 1];
}

// The cell that is stored to is not read.
__global__ void apart(double *out, const double *in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= 1 && i < n - 1) out[i] = sin(in[i - 1]) * in[i + 1];
}

// It is read where a datum says so.
__global__ void upwind(double *out, const double *in, const int *mask, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 1 || i >= n - 1) return;
    double u = 0.3;
    if (mask[i] != 0)
        u = in[i];
    out[i] = u * in[i - 1] + in[i + 1];
}

__global__ void total(const double *state, double *sum, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(sum, state[i] * state[i]);
}

dim3 blocks(int n) { return dim3((n + 31) / 32); }


// What each step says of its cells is another buffer's, whose adjoint is taken as ever.
__global__ void with_energies(double *out, double *energy, const double *in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i] = 0.5 * sin(in[i]) + in[i];
    energy[i] = in[i] * in[i];
}

// A thread adds to its own cell in two branches, neither of which all of them take.
__global__ void with_some_energies(double *out, double *energy, const double *in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= 1 && i < n) out[i] = sin(in[i - 1]) * in[i];
    if (i < n / 2) energy[i] = in[i] * in[i];
}

}  // namespace

void ring_steps(double *state, double *other, int n, double rate, int steps) {
    for (int k = 0; k < steps; ++k) {
        ring<<<blocks(n), 32>>>(k % 2 ? state : other, k % 2 ? other : state, n, rate);
    }
}

void ring_in_place(double *state, int n, int steps) {
    double *other;
    cudaMalloc(&other, 3 * n * sizeof(double));
    for (int k = 0; k < steps; ++k) {
        ring<<<blocks(n), 32>>>(other, state, n, 0.3);
        ring<<<blocks(n), 32>>>(state, other, n, 0.2);
    }
    cudaFree(other);
}

// Something else looks at the adjoints between the steps.
void ring_watched(double *state, double *other, double *sum, int n, int steps) {
    for (int k = 0; k < steps; ++k) {
        ring<<<blocks(n), 32>>>(other, state, n, 0.3);
        if (k % 3 == 1)
            total<<<blocks(2 * n), 32>>>(other, sum, 2 * n);
        ring<<<blocks(n), 32>>>(state, other, n, 0.2);
        if (k == 2)
            cudaMemcpy(state, state + n, n * sizeof(double), cudaMemcpyDeviceToDevice);
    }
}

// The same kernel of fewer cells, and in parts of the buffers.
void ring_of_parts(double *state, double *other, int n, int steps) {
    for (int k = 0; k < steps; ++k) {
        const int m = n - k % 2;
        ring<<<blocks(m), 32>>>(other, state, m, 0.3);
        ring<<<blocks(m), 32>>>(state, other, m, 0.2);
        ring<<<blocks(3), 32>>>(other + 1, state + 2, 3, 0.2);
        ring<<<blocks(3), 32>>>(state + 2, other + 1, 3, 0.2);
    }
}

void box_steps(float *state, float *other, int nx, int ny, int rows, int steps) {
    const dim3 grid((nx + 31) / 32, rows);
    for (int k = 0; k < steps; ++k) {
        box<<<grid, 32>>>(other, state, nx, ny, 0.2f);
        float *const last = state;
        state = other;
        other = last;
    }
}

void told_otherwise_steps(float *state, float *other, int n, int steps) {
    for (int k = 0; k < steps; ++k) {
        told_otherwise<<<blocks(n), 32>>>(other, state, n, 1, 0.1f);
        told_otherwise<<<blocks(n), 32>>>(state, other, n, 1, 0.1f);
        told_otherwise<<<blocks(n), 32>>>(other, state, n, k, 0.1f);
        told_otherwise<<<blocks(n), 32>>>(state, other, n - 3, 1, 0.1f);
    }
}

void pointwise_steps(float *state, float *other, int n, int steps) {
    for (int k = 0; k < steps; ++k) {
        pointwise<<<blocks(n), 32>>>(other, state, n, 0.1f);
        pointwise<<<blocks(n - 3), 32>>>(state, other, n - 3, 0.1f);
        pointwise<<<blocks(n - 3), 32>>>(other, state, n - 3, 0.1f);
        pointwise<<<1, 32>>>(state, other, n, 0.1f);
    }
}

void three_buffers(float *a, float *b, float *c, int n, int steps) {
    for (int k = 0; k < steps; ++k) {
        pointwise<<<blocks(n), 32>>>(b, a, n, 0.1f);
        pointwise<<<blocks(n), 32>>>(c, b, n, 0.2f);
        pointwise<<<blocks(n), 32>>>(a, c, n, 0.3f);
        pointwise<<<blocks(n), 32>>>(b, c, n, 0.4f);
    }
}

void fields_steps(double *u, double *v, double *k, int n, int steps) {
    double *u1, *v1;
    cudaMalloc(&u1, n * sizeof(double));
    cudaMalloc(&v1, n * sizeof(double));
    for (int i = 0; i < steps; ++i) {
        fields<<<blocks(n), 32>>>(u1, v1, u, v, k, n);
        fields<<<blocks(n), 32>>>(u, v, u1, v1, k, n);
        fields<<<blocks(n), 32>>>(v1, u1, u, v, k, n);
        fields<<<blocks(n), 32>>>(u, v, u1, v1, k, n);
    }
    cudaFree(u1);
    cudaFree(v1);
}

void masked_steps(double *state, double *other, const int *mask, int n, int steps) {
    for (int k = 0; k < steps; ++k) {
        masked<<<blocks(n), 32>>>(other, state, mask, n);
        masked<<<blocks(n), 32>>>(state, other, mask, n);
    }
}

void gated_steps(double *state, double *other, int n, double rate, int steps) {
    for (int k = 0; k < steps; ++k) {
        gated<<<blocks(n), 32>>>(other, state, n, rate);
        gated<<<blocks(n), 32>>>(state, other, n, rate);
        rate *= 0.8;
    }
}

void border_steps(double *state, double *other, int n, int steps) {
    for (int k = 0; k < steps; ++k) {
        border<<<blocks(n), 32>>>(other, state, n);
        border<<<blocks(n), 32>>>(state, other, n);
    }
}

void skewed_steps(double *state, double *other, int n, int steps) {
    for (int k = 0; k < steps; ++k) {
        skewed<<<blocks(n), 32>>>(other, state, n);
        skewed<<<blocks(n), 32>>>(state, other, n);
    }
}

void heat_steps(double *state, double *other, int n, int m, int rows, int steps) {
    const dim3 grid((n + 15) / 16, rows);
    for (int k = 0; k < steps; ++k) {
        heat<<<grid, 16>>>(other, state, n, m, 0.05);
        double *const last = state;
        state = other;
        other = last;
    }
}

// The same with other inner cells from step to step.
void heat_in_changing_boxes(double *state, double *other, int n, int m) {
    const dim3 grid((n + 15) / 16, m);
    for (int k = 0; k < 3; ++k) {
        heat<<<grid, 16>>>(other, state, n, m, 0.05);
        heat<<<grid, 16>>>(state, other, n, m, 0.05);
        heat<<<grid, 16>>>(other, state, n, m - 1, 0.05);
        heat<<<dim3(grid.x, m - 3), 16>>>(state, other, n, m, 0.05);
        heat<<<dim3(grid.x, m - 3), 16>>>(other + n, state + n, n, m - 1, 0.05);
        heat<<<dim3(grid.x, m - 3), 16>>>(state + n, other, n, m - 1, 0.05);
    }
}

void reaction_steps(float *u, float *v, float *u1, float *v1, int n, int steps) {
    for (int k = 0; k < steps; ++k) {
        reaction<<<blocks(n), 32>>>(u1, v1, u, v, n);
        reaction<<<blocks(n), 32>>>(u, v, u1, v1, n);
        reaction<<<blocks(n), 32>>>(v1, u1, u, v, n);
        reaction<<<blocks(n), 32>>>(v, u, u1, v1, n);
    }
}

void beside_steps(double *state, double *other, double *sum, int n, int steps) {
    for (int k = 0; k < steps; ++k) {
        beside<<<blocks(n), 32>>>(other, state, n);
        total<<<blocks(n), 32>>>(other, sum, n);
        beside<<<blocks(n), 32>>>(state, other, n);
        beside<<<blocks(n), 32>>>(other, state, n);
        beside<<<blocks(n), 32>>>(state, other, n);
    }
}

void apart_steps(double *state, double *other, int n, int steps) {
    for (int k = 0; k < steps; ++k) {
        apart<<<blocks(n), 32>>>(other, state, n);
        apart<<<blocks(n), 32>>>(state, other, n);
    }
}

void upwind_steps(double *state, double *other, const int *mask, int n, int steps) {
    for (int k = 0; k < steps; ++k) {
        upwind<<<blocks(n), 32>>>(other, state, mask, n);
        upwind<<<blocks(n), 32>>>(state, other, mask, n);
    }
}

void steps_with_rim(double *state, double *other, int n, int m, int steps) {
    const dim3 block(8, 4), grid((n + 7) / 8, (m + 3) / 4);
    for (int k = 0; k < steps; ++k) {
        with_rim<<<grid, block>>>(other, state, n, m);
        with_rim<<<grid, block>>>(state, other, n, m);
        if (k == 1)
            with_rim<<<grid, dim3(8, 2)>>>(other, state, n, m);
    }
}

void iterated_steps(double *state, double *other, int n, int steps) {
    for (int k = 0; k < steps; ++k) {
        iterated<<<blocks(n), 32>>>(other, state, n);
        iterated<<<blocks(n), 32>>>(state, other, n);
    }
}

void steps_of_several_kinds(double *state, double *other, int n, int all) {
    for (int k = 0; k < 2; ++k) {
        turned<<<blocks(n), 32>>>(other, state, n);
        turned<<<blocks(n), 32>>>(state, other, n);
        around_the_first<<<blocks(n), 32>>>(other, state, n, all);
        around_the_first<<<blocks(n), 32>>>(state, other, n, all);
        below_thirty<<<blocks(n), 32>>>(other, state, n);
        below_thirty<<<blocks(n), 32>>>(state, other, n);
    }
}

void energies(double *state, double *other, double *energy, int n, int steps) {
    for (int k = 0; k < steps; ++k) {
        with_energies<<<(n + 15) / 16, 16>>>(other, energy, state, n);
        with_energies<<<(n + 15) / 16, 16>>>(state, energy, other, n);
        with_some_energies<<<blocks(n), 32>>>(other, energy, state, n);
        with_some_energies<<<blocks(n), 32>>>(state, energy, other, n);
    }
}
