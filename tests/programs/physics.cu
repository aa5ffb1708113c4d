// Simulations: heat in two dimensions, Burgers, waves, bodies, a lattice gas.
#include <cuda_runtime.h>
#include <cmath>
#include <utility>

#define AT(y, x) ((y) * nx + (x))

__global__ void heat(double *next, const double *now, const double *conductivity, double dt, int ny, int nx) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny) return;
  double here = now[AT(y, x)];
  if (x == 0 || y == 0 || x == nx - 1 || y == ny - 1) {
    next[AT(y, x)] = here;
    return;
  }
  double sum = now[AT(y, x - 1)] + now[AT(y, x + 1)] + now[AT(y - 1, x)] + now[AT(y + 1, x)] - 4 * here;
  next[AT(y, x)] = here + dt * conductivity[AT(y, x)] * sum;
}
double heat_equation(const double *start, const double *conductivity, const double *wanted, double dt, int ny, int nx,
                     int steps) {
  double *a, *b, *k, host[100], misfit = 0;
  size_t bytes = ny * nx * sizeof(double);
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMalloc(&k, bytes);
  cudaMemcpy(a, start, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(k, conductivity, bytes, cudaMemcpyHostToDevice);
  dim3 threads(8, 4), blocks((nx + 7) / 8, (ny + 3) / 4);
  for (int t = 0; t < steps; ++t) {
    heat<<<blocks, threads>>>(b, a, k, dt, ny, nx);
    std::swap(a, b);
  }
  cudaMemcpy(host, a, bytes, cudaMemcpyDeviceToHost);
  for (int i = 0; i < ny * nx; ++i) misfit += (host[i] - wanted[i]) * (host[i] - wanted[i]);
  cudaFree(a);
  cudaFree(b);
  cudaFree(k);
  return 0.5 * misfit;
}

__global__ void burgers(double *next, const double *u, double dt, double dx, double viscosity, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int left = i == 0 ? n - 1 : i - 1, right = i == n - 1 ? 0 : i + 1;
  double slope = u[i] > 0 ? (u[i] - u[left]) / dx : (u[right] - u[i]) / dx;
  next[i] = u[i] - dt * u[i] * slope + viscosity * dt / (dx * dx) * (u[right] - 2 * u[i] + u[left]);
}
void burgers_equation(double *u, double viscosity, int n, int steps) {
  double *now, *next;
  cudaMalloc(&now, n * sizeof(double));
  cudaMalloc(&next, n * sizeof(double));
  cudaMemcpy(now, u, n * sizeof(double), cudaMemcpyHostToDevice);
  for (int t = 0; t < steps; ++t) {
    burgers<<<(n + 31) / 32, 32>>>(next, now, 0.002, 1.0 / n, viscosity, n);
    std::swap(now, next);
  }
  cudaMemcpy(u, now, n * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(now);
  cudaFree(next);
}

// Three time levels; a source of the host's, and a receiver that is read at every step.
__global__ void wave(double *after, const double *now, const double *before, const double *speed, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= 0 || i >= n - 1) return;
  double c = speed[i] * speed[i];
  after[i] = 2 * now[i] - before[i] + c * (now[i - 1] - 2 * now[i] + now[i + 1]);
}
__global__ void inject(double *u, double value, int at) { u[at] += value; }

void seismogram(double *trace, const double *source, const double *speed, int n, int steps, int from, int to) {
  double *u[3], *d_speed;
  for (int k = 0; k < 3; ++k) {
    cudaMalloc(&u[k], n * sizeof(double));
    cudaMemset(u[k], 0, n * sizeof(double));
  }
  cudaMalloc(&d_speed, n * sizeof(double));
  cudaMemcpy(d_speed, speed, n * sizeof(double), cudaMemcpyHostToDevice);
  for (int t = 0; t < steps; ++t) {
    double *before = u[t % 3], *now = u[(t + 1) % 3], *after = u[(t + 2) % 3];
    wave<<<(n + 31) / 32, 32>>>(after, now, before, d_speed, n);
    inject<<<1, 1>>>(after, source[t], from);
    cudaMemcpy(trace + t, after + to, sizeof(double), cudaMemcpyDeviceToHost);
  }
  for (int k = 0; k < 3; ++k) cudaFree(u[k]);
  cudaFree(d_speed);
}

// Bodies: kick, drift, kick.
__global__ void accelerations(double3 *a, const double3 *x, const double *mass, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double3 sum = make_double3(0, 0, 0);
  for (int j = 0; j < n; ++j) {
    double dx = x[j].x - x[i].x, dy = x[j].y - x[i].y, dz = x[j].z - x[i].z;
    double d2 = dx * dx + dy * dy + dz * dz + 0.05, inverse = rsqrt(d2 * d2 * d2);
    sum.x += mass[j] * dx * inverse;
    sum.y += mass[j] * dy * inverse;
    sum.z += mass[j] * dz * inverse;
  }
  a[i] = sum;
}
__global__ void move(double3 *to, const double3 *by, double dt, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  to[i].x += dt * by[i].x;
  to[i].y += dt * by[i].y;
  to[i].z += dt * by[i].z;
}
void leapfrog(double3 *x, double3 *v, const double *mass, double dt, int n, int steps) {
  double3 *d_x, *d_v, *d_a;
  double *d_mass;
  cudaMalloc(&d_x, n * sizeof(double3));
  cudaMalloc(&d_v, n * sizeof(double3));
  cudaMalloc(&d_a, n * sizeof(double3));
  cudaMalloc(&d_mass, n * sizeof(double));
  cudaMemcpy(d_x, x, n * sizeof(double3), cudaMemcpyHostToDevice);
  cudaMemcpy(d_v, v, n * sizeof(double3), cudaMemcpyHostToDevice);
  cudaMemcpy(d_mass, mass, n * sizeof(double), cudaMemcpyHostToDevice);
  const int block = 16, grid = (n + block - 1) / block;
  accelerations<<<grid, block>>>(d_a, d_x, d_mass, n);
  for (int t = 0; t < steps; ++t) {
    move<<<grid, block>>>(d_v, d_a, dt / 2, n);
    move<<<grid, block>>>(d_x, d_v, dt, n);
    accelerations<<<grid, block>>>(d_a, d_x, d_mass, n);
    move<<<grid, block>>>(d_v, d_a, dt / 2, n);
  }
  cudaMemcpy(x, d_x, n * sizeof(double3), cudaMemcpyDeviceToHost);
  cudaMemcpy(v, d_v, n * sizeof(double3), cudaMemcpyDeviceToHost);
  cudaFree(d_x);
  cudaFree(d_v);
  cudaFree(d_a);
  cudaFree(d_mass);
}

// A lattice gas in two dimensions with nine directions: collide, stream, change places.
__constant__ int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant__ int cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__constant__ double weight[9] = {4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36};

__global__ void collide_and_stream(double *next, const double *f, double omega, int ny, int nx) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny) return;
  const int cells = ny * nx;
  double density = 0, ux = 0, uy = 0, local[9];
  for (int d = 0; d < 9; ++d) {
    local[d] = f[d * cells + AT(y, x)];
    density += local[d];
    ux += cx[d] * local[d];
    uy += cy[d] * local[d];
  }
  ux /= density;
  uy /= density;
  for (int d = 0; d < 9; ++d) {
    double cu = 3 * (cx[d] * ux + cy[d] * uy);
    double equilibrium = weight[d] * density * (1 + cu + 0.5 * cu * cu - 1.5 * (ux * ux + uy * uy));
    int tx = (x + cx[d] + nx) % nx, ty = (y + cy[d] + ny) % ny;
    next[d * cells + AT(ty, tx)] = local[d] + omega * (equilibrium - local[d]);
  }
}
void lattice(double *f, double omega, int ny, int nx, int steps) {
  double *now, *next;
  size_t bytes = sizeof(double) * 9 * ny * nx;
  cudaMalloc(&now, bytes);
  cudaMalloc(&next, bytes);
  cudaMemcpy(now, f, bytes, cudaMemcpyHostToDevice);
  for (int t = 0; t < steps; ++t) {
    collide_and_stream<<<dim3((nx + 3) / 4, (ny + 3) / 4), dim3(4, 4)>>>(next, now, omega, ny, nx);
    double *held = now;
    now = next;
    next = held;
  }
  cudaMemcpy(f, now, bytes, cudaMemcpyDeviceToHost);
  cudaFree(now);
  cudaFree(next);
}
