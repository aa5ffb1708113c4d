// Programs whose arguments are vectors of the C++ library.
#include <cuda_runtime.h>

#include <stdexcept>
#include <utility>
#include <vector>

namespace model {

struct Particle {
  double x, v;
};

__global__ void step(double *y, const double *x, double a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] * x[i] + 0.5 * y[i];
}
__global__ void push(Particle *p, double dt, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  p[i].x += dt * p[i].v;
  p[i].v *= 1 - dt * p[i].x;
}

// One that is read, one that is changed, one that is passed by value, of integers.
double run(const std::vector<double> &x, std::vector<double> &y, std::vector<int> factors, double a) {
  const size_t bytes = x.size() * sizeof(double);
  if (y.size() != x.size()) throw std::invalid_argument("the lengths differ");
  double *now, *next;
  cudaMalloc(&now, bytes);
  cudaMalloc(&next, bytes);
  cudaMemcpy(now, x.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(next, y.data(), bytes, cudaMemcpyHostToDevice);
  for (int k : factors) {
    step<<<1, 32>>>(next, now, a * k, x.size());
    std::swap(now, next);
  }
  cudaMemcpy(y.data(), now, bytes, cudaMemcpyDeviceToHost);
  cudaFree(now);
  cudaFree(next);
  double sum = 0;
  for (double one : y) sum += one * one;
  y[0] = sum * x[1];
  return sum;
}

// Grows and shrinks again.
void folded(std::vector<double> &x, unsigned size) {
  for (unsigned k = 0; k < 2; ++k) x.push_back(x[k] * x[k]);
  x[0] *= x[x.size() - 1];
  x.resize(size);
}

}  // namespace model

template <class T>
T energy(std::vector<model::Particle> particles, T dt, int steps) {
  const size_t bytes = particles.size() * sizeof(model::Particle);
  model::Particle *p;
  cudaMalloc(&p, bytes);
  cudaMemcpy(p, particles.data(), bytes, cudaMemcpyHostToDevice);
  for (int k = 0; k < steps; ++k) model::push<<<1, 32>>>(p, dt, particles.size());
  cudaMemcpy(particles.data(), p, bytes, cudaMemcpyDeviceToHost);
  cudaFree(p);
  T sum = 0;
  for (const model::Particle &one : particles) sum += one.x * one.v;
  return sum;
}
