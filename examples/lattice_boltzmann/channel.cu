// A flow around a post, by the lattice Boltzmann method (nine velocities, one relaxation time), with walls above and below
// and periodic ends. Nothing here knows of derivatives.

__device__ const int DX[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__device__ const int DY[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__device__ const int BACK[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
__device__ const double WEIGHT[9] = {4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36};

__device__ double equilibrium(int k, double density, double u, double v) {
    double along = DX[k] * u + DY[k] * v;
    return WEIGHT[k] * density * (1 + 3 * along + 4.5 * along * along - 1.5 * (u * u + v * v));
}

// Density and velocity of a cell, whose nine numbers lie `cells` apart.
__device__ void moments(const double *f, int cells, int at, double *density, double *u, double *v) {
    *density = 0, *u = 0, *v = 0;
    for (int k = 0; k < 9; ++k) {
        double part = f[k * cells + at];
        *density += part;
        *u += DX[k] * part;
        *v += DY[k] * part;
    }
    *u /= *density;
    *v /= *density;
}

__global__ void begin(int cells, double *f) {
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= cells) return;
    for (int k = 0; k < 9; ++k) f[k * cells + at] = equilibrium(k, 1, 0, 0);
}

// What collides in the cell moves to its neighbours, and comes back from those that are solid.
__global__ void step(int width, int height, const unsigned char *solid, double viscosity, double push, const double *f,
                     double *after) {
    int at = blockIdx.x * blockDim.x + threadIdx.x, cells = width * height;
    if (at >= cells || solid[at]) return;
    double density, u, v;
    moments(f, cells, at, &density, &u, &v);
    double rate = 1 / (3 * viscosity + 0.5);
    for (int k = 0; k < 9; ++k) {
        double part = f[k * cells + at];
        part += rate * (equilibrium(k, density, u, v) - part) + 3 * WEIGHT[k] * push * DX[k];
        int x = (at % width + DX[k] + width) % width, y = at / width + DY[k];
        int there = y * width + x;
        if (solid[there])
            after[BACK[k] * cells + at] = part;
        else
            after[k * cells + there] = part;
    }
}

__global__ void velocities(int cells, const unsigned char *solid, const double *f, double *u) {
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= cells) return;
    double density, x = 0, y = 0;
    if (!solid[at]) moments(f, cells, at, &density, &x, &y);
    u[2 * at] = x;
    u[2 * at + 1] = y;
}

// How far the velocities after `steps` steps, which are left in `u`, are from those that were measured.
double misfit(int width, int height, const unsigned char *solid, double viscosity, double push, int steps,
              const double *measured, double *u) {
    int cells = width * height, blocks = (cells + 127) / 128;
    double *now, *next;
    cudaMalloc(&now, 9 * cells * sizeof(double));
    cudaMalloc(&next, 9 * cells * sizeof(double));
    begin<<<blocks, 128>>>(cells, now);
    begin<<<blocks, 128>>>(cells, next);
    for (int k = 0; k < steps; ++k) {
        step<<<blocks, 128>>>(width, height, solid, viscosity, push, now, next);
        double *other = now;
        now = next;
        next = other;
    }
    velocities<<<blocks, 128>>>(cells, solid, now, u);
    double *seen = new double[2 * cells];
    cudaMemcpy(seen, u, 2 * cells * sizeof(double), cudaMemcpyDeviceToHost);
    double sum = 0;
    for (int i = 0; i < 2 * cells; ++i) sum += (seen[i] - measured[i]) * (seen[i] - measured[i]);
    delete[] seen;
    cudaFree(now);
    cudaFree(next);
    return sum / cells;
}
