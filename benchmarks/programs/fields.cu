// Fields on grids: diffusion in three dimensions, and Burgers' equation in two, with steps from the host.

// A seven-point stencil with sources; the edge is left alone.
__global__ void diffusion(double *next, const double *u, const double *source, int nx, int ny, int nz, double rate,
                          double dt) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
  if (x < 1 || y < 1 || z < 1 || x >= nx - 1 || y >= ny - 1 || z >= nz - 1) return;
  const int row = nx, plane = nx * ny, c = z * plane + y * row + x;
  const double around = u[c - 1] + u[c + 1] + u[c - row] + u[c + row] + u[c - plane] + u[c + plane];
  next[c] = u[c] + rate * (around - 6.0 * u[c]) + dt * source[c];
}

__global__ void burgers(double *next_u, double *next_v, const double *u, const double *v, int nx, int ny, double nu,
                        double dt, double h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny) return;
  const int c = y * nx + x;
  if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1) {
    next_u[c] = u[c];
    next_v[c] = v[c];
    return;
  }
  const double a = 0.5 * dt / h, b = nu * dt / (h * h);
  const double around_u = u[c - 1] + u[c + 1] + u[c - nx] + u[c + nx];
  const double around_v = v[c - 1] + v[c + 1] + v[c - nx] + v[c + nx];
  next_u[c] = u[c] - a * (u[c] * (u[c + 1] - u[c - 1]) + v[c] * (u[c + nx] - u[c - nx])) + b * (around_u - 4.0 * u[c]);
  next_v[c] = v[c] - a * (u[c] * (v[c + 1] - v[c - 1]) + v[c] * (v[c + nx] - v[c - nx])) + b * (around_v - 4.0 * v[c]);
}

// Steps from the host; their number is even.
void burgers_steps(double *u, double *v, double *other_u, double *other_v, int nx, int ny, double nu, double dt,
                   double h, int steps) {
  const dim3 block(32, 8), grid((nx + 31) / 32, (ny + 7) / 8);
  for (int k = 0; k < steps; k += 2) {
    burgers<<<grid, block>>>(other_u, other_v, u, v, nx, ny, nu, dt, h);
    burgers<<<grid, block>>>(u, v, other_u, other_v, nx, ny, nu, dt, h);
  }
}
