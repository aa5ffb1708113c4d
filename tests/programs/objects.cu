// Objects that host code fills and reads member by member, and copies as a whole.
#include <cuda_runtime.h>
#include <cstdlib>

struct Particle {
  double x, v;
};
struct Sums {
  double mass, moment[2];
};

__global__ void move(Particle *p, double dt, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  p[i].v -= dt * p[i].x * p[i].x;
  p[i].x += dt * p[i].v;
}
__global__ void add_up(Sums *sums, const Particle *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicAdd(&sums->mass, p[i].x * p[i].v);
  atomicAdd(&sums->moment[0], p[i].x);
  atomicAdd(&sums->moment[1], p[i].x * p[i].x);
}

// In memory of the C library, filled in a loop.
double allocated(const double *start, double dt, int n, int steps) {
  Particle *host = (Particle *)malloc(n * sizeof(Particle)), *device;
  for (int i = 0; i < n; ++i) {
    host[i].x = start[i];
    host[i].v = 0.1 * i;
  }
  cudaMalloc(&device, n * sizeof(Particle));
  cudaMemcpy(device, host, n * sizeof(Particle), cudaMemcpyHostToDevice);
  for (int t = 0; t < steps; ++t) move<<<(n + 15) / 16, 16>>>(device, dt, n);
  cudaMemcpy(host, device, n * sizeof(Particle), cudaMemcpyDeviceToHost);
  double energy = 0;
  for (int i = 0; i < n; ++i) energy += host[i].v * host[i].v + host[i].x;
  free(host);
  cudaFree(device);
  return energy;
}

// Local objects and arrays of objects.
double local(const double *start, double dt, int n) {
  Particle particles[8];
  for (int i = 0; i < n; ++i) particles[i] = {start[i], start[n - 1 - i]};
  Particle *device;
  Sums *d_sums, sums = {0, {0, 0}};
  cudaMalloc(&device, n * sizeof(Particle));
  cudaMalloc(&d_sums, sizeof(Sums));
  cudaMemcpy(device, particles, n * sizeof(Particle), cudaMemcpyHostToDevice);
  double total = 0;
  for (int t = 0; t < 3; ++t) {
    cudaMemcpy(d_sums, &sums, sizeof(Sums), cudaMemcpyHostToDevice);
    move<<<1, 8>>>(device, dt, n);
    add_up<<<1, 8>>>(d_sums, device, n);
    cudaMemcpy(&sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost);
    total += sums.mass * sums.moment[1] + sums.moment[0];
    sums.moment[0] = 0.5 * sums.mass;
  }
  cudaMemcpy(particles, device, n * sizeof(Particle), cudaMemcpyDeviceToHost);
  total += particles[1].x * particles[n - 1].v;
  cudaFree(device);
  cudaFree(d_sums);
  return total;
}

// Casts to a base, which say the same in each way of writing them.
struct Shape {
  double size;
  virtual ~Shape() = default;
  double area() const { return size * size; }
};
struct Scaled : Shape {
  double factor;
  double value() {
    dynamic_cast<Shape &>(*this).size *= factor;
    return factor * dynamic_cast<Shape *>(this)->area() + dynamic_cast<Scaled *>(this)->size;
  }
};
double to_base(double size, double factor) {
  Scaled scaled;
  scaled.size = size;
  scaled.factor = factor;
  const double value = scaled.value();
  return value * static_cast<Shape *>(&scaled)->area();
}
