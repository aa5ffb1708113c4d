// Steps in time: two buffers that change places in every way that programs do it, and steps in place.
#include <cuda_runtime.h>
#include <utility>

__global__ void step(double *next, const double *now, double rate, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double left = i > 0 ? now[i - 1] : now[i], right = i < n - 1 ? now[i + 1] : now[i];
  next[i] = now[i] + rate * (left - 2 * now[i] + right) + 0.01 * now[i] * now[i];
}
__global__ void step_in_place(double *x, double rate, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i] + rate * x[i] * (1 - x[i]);
}

static const int threads = 32;
#define BLOCKS(n) (((n) + threads - 1) / threads)

void by_std_swap(double *x, double rate, int n, int steps) {
  double *now, *next;
  cudaMalloc(&now, n * sizeof(double));
  cudaMalloc(&next, n * sizeof(double));
  cudaMemcpy(now, x, n * sizeof(double), cudaMemcpyHostToDevice);
  for (int t = 0; t < steps; ++t) {
    step<<<BLOCKS(n), threads>>>(next, now, rate, n);
    std::swap(now, next);
  }
  cudaMemcpy(x, now, n * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(now);
  cudaFree(next);
}

void by_temporary(double *x, double rate, int n, int steps) {
  double *now, *next;
  cudaMalloc(&now, n * sizeof(double));
  cudaMalloc(&next, n * sizeof(double));
  cudaMemcpy(now, x, n * sizeof(double), cudaMemcpyHostToDevice);
  for (int t = 0; t < steps; t++) {
    step<<<BLOCKS(n), threads>>>(next, now, rate, n);
    double *tmp = now;
    now = next;
    next = tmp;
  }
  cudaMemcpy(x, now, n * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(now);
  cudaFree(next);
}

void by_parity(double *x, double rate, int n, int steps) {
  double *a, *b;
  cudaMalloc(&a, n * sizeof(double));
  cudaMalloc(&b, n * sizeof(double));
  cudaMemcpy(a, x, n * sizeof(double), cudaMemcpyHostToDevice);
  for (int t = 0; t < steps; ++t) {
    if (t % 2 == 0) step<<<BLOCKS(n), threads>>>(b, a, rate, n);
    else step<<<BLOCKS(n), threads>>>(a, b, rate, n);
  }
  cudaMemcpy(x, steps % 2 ? b : a, n * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(a);
  cudaFree(b);
}

void by_array(double *x, double rate, int n, int steps) {
  double *buffers[2];
  for (int k = 0; k < 2; ++k) cudaMalloc(&buffers[k], n * sizeof(double));
  cudaMemcpy(buffers[0], x, n * sizeof(double), cudaMemcpyHostToDevice);
  for (int t = 0; t < steps; ++t) step<<<BLOCKS(n), threads>>>(buffers[(t + 1) % 2], buffers[t % 2], rate, n);
  cudaMemcpy(x, buffers[steps % 2], n * sizeof(double), cudaMemcpyDeviceToHost);
  for (int k = 0; k < 2; ++k) cudaFree(buffers[k]);
}

struct State {
  double *now, *next;
  int n;
  void flip() {
    double *held = now;
    now = next;
    next = held;
  }
};

void by_struct(double *x, double rate, int n, int steps) {
  State state;
  state.n = n;
  cudaMalloc(&state.now, n * sizeof(double));
  cudaMalloc(&state.next, n * sizeof(double));
  cudaMemcpy(state.now, x, n * sizeof(double), cudaMemcpyHostToDevice);
  for (int t = 0; t < steps; ++t) {
    step<<<BLOCKS(state.n), threads>>>(state.next, state.now, rate, state.n);
    state.flip();
  }
  cudaMemcpy(x, state.now, n * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(state.now);
  cudaFree(state.next);
}

// The first step goes from the caller's memory on.
void on_the_callers(double *x, double *y, double rate, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    step<<<BLOCKS(n), threads>>>(y, x, rate, n);
    std::swap(x, y);
  }
}

void in_place(double *x, double rate, int n, int steps) {
  double *d;
  cudaMalloc(&d, n * sizeof(double));
  cudaMemcpy(d, x, n * sizeof(double), cudaMemcpyHostToDevice);
  for (int t = 0; t < steps; ++t) {
    step_in_place<<<BLOCKS(n), threads>>>(d, rate, n);
    rate *= 0.9;
  }
  cudaMemcpy(x, d, n * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(d);
}

// Nested loops, a sum on the host after each round, three buffers in a ring.
double ring(const double *x, double rate, int n, int rounds, int steps) {
  double *a, *b, *c, host[64], total = 0;
  cudaMalloc(&a, n * sizeof(double));
  cudaMalloc(&b, n * sizeof(double));
  cudaMalloc(&c, n * sizeof(double));
  cudaMemcpy(a, x, n * sizeof(double), cudaMemcpyHostToDevice);
  for (int round = 0; round < rounds; ++round) {
    for (int t = 0; t < steps; ++t) {
      step<<<BLOCKS(n), threads>>>(b, a, rate, n);
      step<<<BLOCKS(n), threads>>>(c, b, rate / 2, n);
      double *held = a;
      a = c;
      c = b;
      b = held;
    }
    cudaMemcpy(host, a, n * sizeof(double), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) total += host[i] * host[i] / (round + 1);
  }
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  return total;
}
