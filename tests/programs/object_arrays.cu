// Arrays of objects on the host: filled and read by member, copied as a whole.
#include <cuda_runtime.h>
#include <cstdlib>

struct Cell {
  double mass, charge;
};
__global__ void mix(Cell *out, const Cell *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i].mass = in[i].mass * in[i].charge;
  out[i].charge = in[i].charge - in[(i + 1) % n].mass;
}

// Nothing but a copy writes what is read, nothing but a copy reads what is written.
double copied_in(const Cell *in, int n) {
  Cell *host = (Cell *)malloc(n * sizeof(Cell));
  cudaMemcpy(host, in, n * sizeof(Cell), cudaMemcpyHostToHost);
  double total = 0;
  for (int i = 0; i < n; ++i) total += host[i].mass * host[i].charge;
  free(host);
  return total;
}
void copied_out(Cell *out, const double *in, int n) {
  Cell *host = (Cell *)malloc(n * sizeof(Cell));
  for (int i = 0; i < n; ++i) {
    host[i].mass = in[i] * in[i];
    host[i].charge = in[n - 1 - i] * i;
  }
  cudaMemcpy(out, host, n * sizeof(Cell), cudaMemcpyHostToHost);
  free(host);
}
double around(const double *in, int n, int steps) {
  Cell *host = new Cell[n], *a, *b;
  cudaMalloc(&a, n * sizeof(Cell));
  cudaMalloc(&b, n * sizeof(Cell));
  for (int i = 0; i < n; ++i) {
    host[i].mass = in[i];
    host[i].charge = 1 + in[i] * i / n;
  }
  cudaMemcpy(a, host, n * sizeof(Cell), cudaMemcpyHostToDevice);
  double total = 0;
  for (int t = 0; t < steps; ++t) {
    mix<<<1, 32>>>(b, a, n);
    cudaMemcpy(host, b, n * sizeof(Cell), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) total += host[i].charge * host[i].charge;
    host[t].mass *= 0.5;
    cudaMemcpy(a, host, n * sizeof(Cell), cudaMemcpyHostToDevice);
  }
  delete[] host;
  cudaFree(a);
  cudaFree(b);
  return total;
}

// The caller's memory, of which the adjoint is the gradient's own.
double own_memory(const double *in, Cell *work, Cell *more, int n) {
  for (int i = 0; i < n; ++i) { work[i].mass = in[i]; work[i].charge = 3; }
  cudaMemcpy(more, work, n * sizeof(Cell), cudaMemcpyHostToHost);
  double total = 0;
  for (int i = 0; i < n; ++i) total += more[i].mass * more[i].mass + more[i].charge;
  return total;
}
double own_steps(const double *in, Cell *work, Cell *more, int n, int steps) {
  Cell *a, *b;
  cudaMalloc(&a, n * sizeof(Cell));
  cudaMalloc(&b, n * sizeof(Cell));
  double total = 0;
  for (int i = 0; i < n; ++i) { work[i].mass = in[i]; work[i].charge = 3; }
  for (int t = 0; t < steps; ++t) {
    for (int i = 0; i < n; ++i) work[i].charge = 2 + t;
    cudaMemcpy(a, work, n * sizeof(Cell), cudaMemcpyHostToDevice);
    mix<<<1, 32>>>(b, a, n);
    cudaMemcpy(work, b, n * sizeof(Cell), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) total += work[i].mass;
  }
  cudaFree(a);
  cudaFree(b);
  return total;
}
