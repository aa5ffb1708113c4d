// Objects of numbers of several types, and of integers, that are copied as a whole.
#include <cuda_runtime.h>

#include <vector>

struct Cell {
  double mass, velocity[3];
  float charge;
  int kind;
  struct {
    float2 spin;
    bool on;
  } state;
};

__global__ void move(Cell *cells, double dt, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Cell &c = cells[i];
  for (int k = 0; k < 3; ++k) c.velocity[k] += dt * c.mass * c.charge;
  c.mass *= 1 + 0.1 * c.velocity[1];
  if (c.kind) c.charge *= 0.5f;
  if (c.state.on) c.state.spin.y += c.state.spin.x * c.charge;
}

double moved(const Cell *given, double dt, int n, int steps) {
  const size_t bytes = n * sizeof(Cell);
  Cell *now, *other;
  cudaMalloc(&now, bytes);
  cudaMalloc(&other, bytes);
  std::vector<Cell> cells(given, given + n);
  double sum = 0;
  for (int step = 0; step < steps; ++step) {
    cells[step % n].mass += 0.1;
    cudaMemcpy(now, cells.data(), bytes, cudaMemcpyHostToDevice);
    move<<<1, 32>>>(now, dt, n);
    cudaMemcpy(other, now, bytes, cudaMemcpyDeviceToDevice);
    cudaMemcpy(other + 1, now, bytes - sizeof(Cell), cudaMemcpyDeviceToDevice);
    move<<<1, 32>>>(other, dt * 0.5, n);
    cudaMemcpy(cells.data(), other, bytes, cudaMemcpyDeviceToHost);
    for (const Cell &c : cells) sum += c.mass * c.velocity[2] + c.charge + c.state.spin.y;
  }
  cudaFree(now);
  cudaFree(other);
  return sum;
}

// The first number of an object only.
double partly(const Cell *given, int n) {
  Cell *now;
  cudaMalloc(&now, n * sizeof(Cell));
  cudaMemcpy(now, given, n * sizeof(Cell), cudaMemcpyHostToDevice);
  cudaMemcpy(now + 1, now, sizeof(double), cudaMemcpyDeviceToDevice);
  std::vector<Cell> cells(n);
  cudaMemcpy(cells.data(), now, n * sizeof(Cell), cudaMemcpyDeviceToHost);
  cudaFree(now);
  return cells[1].mass * cells[0].mass;
}
