// Programs for budgets of copies: what is to be made again depends on host code in every way that it can.
#include <cuda_runtime.h>
#include <vector>

__constant__ double shift[2];

__global__ void step(double *next, const double *now, double rate, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double left = i > 0 ? now[i - 1] : now[i], right = i < n - 1 ? now[i + 1] : now[i];
  next[i] = now[i] + rate * (left - 2 * now[i] + right) + 0.01 * now[i] * now[i];
}
__global__ void grow(double *x, double rate, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i] + rate * x[i] * (1 - x[i]);
}
__global__ void forced(double *x, const double *force, double rate, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i] + rate * x[i] * force[i];
}
__global__ void shifted(double *x, double rate, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i] + rate * x[i] * x[i] * shift[i % 2];
}
__global__ void squares(double *sum, const double *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, x[i] * x[i]);
}
// The order of the list is that in which threads come.
__global__ void choose(int *list, int *count, const double *x, double level, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] > level) list[atomicAdd(count, 1)] = i;
}
__global__ void gather(double *picked, const double *x, const int *list, const int *count, int n) {
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < n) picked[k] = k < *count ? x[list[k]] * x[list[k]] : 0;
}
__global__ void scatter(double *x, const double *picked, const int *list, const int *count, double rate) {
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < *count) x[list[k]] = x[list[k]] - rate * x[list[k]] * picked[k];
}

// Until the sum of squares is large, or another loop's bound: nobody knows how many steps.
double until(const double *x, double rate, int n, double limit, int most) {
  double *now, *next, *sum, total = 0;
  cudaMalloc(&now, n * sizeof(double));
  cudaMalloc(&next, n * sizeof(double));
  cudaMalloc(&sum, sizeof(double));
  cudaMemcpy(now, x, n * sizeof(double), cudaMemcpyHostToDevice);
  int steps = 0;
  while (true) {
    step<<<2, 32>>>(next, now, rate, n);
    double *held = now;
    now = next;
    next = held;
    cudaMemset(sum, 0, sizeof(double));
    squares<<<2, 32>>>(sum, now, n);
    cudaMemcpy(&total, sum, sizeof(double), cudaMemcpyDeviceToHost);
    if (total > limit) break;
    if (++steps == most) break;
  }
  cudaFree(now);
  cudaFree(next);
  cudaFree(sum);
  return total * rate;
}

// Host state beside that of the device: the rate changes as the copied numbers say, in a vector and in a scalar.
double host_state(const double *x, double rate, int n, int steps) {
  double *d, total = 0;
  std::vector<double> host(n), history(steps);
  cudaMalloc(&d, n * sizeof(double));
  cudaMemcpy(d, x, n * sizeof(double), cudaMemcpyHostToDevice);
  for (int t = 0; t < steps; ++t) {
    grow<<<2, 32>>>(d, rate, n);
    cudaMemcpy(host.data(), d, n * sizeof(double), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) history[t] += host[i];
    rate = rate * (1 - 0.001 * history[t]);
    total += history[t] * history[t];
  }
  cudaFree(d);
  return total;
}

// What the host writes anew for every step is copied to the device.
void by_force(double *x, const double *strength, int n, int steps) {
  double *d, *force, *host = new double[n];
  cudaMalloc(&d, n * sizeof(double));
  cudaMalloc(&force, n * sizeof(double));
  cudaMemcpy(d, x, n * sizeof(double), cudaMemcpyHostToDevice);
  for (int t = 0; t < steps; ++t) {
    for (int i = 0; i < n; ++i) host[i] = strength[i] * (1 + 0.1 * t);
    cudaMemcpy(force, host, n * sizeof(double), cudaMemcpyHostToDevice);
    forced<<<2, 32>>>(d, force, 0.05, n);
  }
  cudaMemcpy(x, d, n * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(d);
  cudaFree(force);
  delete[] host;
}

// Managed memory: the host writes it before the loop, and now and then in it.
void managed(double *x, double rate, int n, int steps) {
  double *m, *other;
  cudaMallocManaged(&m, n * sizeof(double));
  cudaMallocManaged(&other, n * sizeof(double));
  for (int i = 0; i < n; ++i) m[i] = x[i];
  for (int t = 0; t < steps; ++t) {
    step<<<2, 32>>>(other, m, rate, n);
    step<<<2, 32>>>(m, other, rate, n);
    if (t % 4 == 3) {
      cudaDeviceSynchronize();
      for (int i = 0; i < n; ++i) m[i] = m[i] * (1 - rate * m[i]);
    }
  }
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i) x[i] = m[i];
  cudaFree(m);
  cudaFree(other);
}

// Loops in loops, memory of an iteration, and a part of a buffer set and copied.
double rounds(const double *x, double rate, int n, int outer, int inner) {
  double *d, host[40], total = 0;
  cudaMalloc(&d, n * sizeof(double));
  cudaMemcpy(d, x, n * sizeof(double), cudaMemcpyHostToDevice);
  for (int round = 0; round < outer; ++round) {
    double *mine;
    cudaMalloc(&mine, n * sizeof(double));
    cudaMemcpy(mine, d, n * sizeof(double), cudaMemcpyDeviceToDevice);
    for (int t = 0; t < inner; ++t) {
      grow<<<2, 32>>>(mine, rate, n);
      if (t % 3 == 1) cudaMemset(mine + 2, 0, 3 * sizeof(double));
      step<<<2, 32>>>(d, mine, rate, n);
      cudaMemcpy(mine + n / 2, d, n / 2 * sizeof(double), cudaMemcpyDeviceToDevice);
    }
    cudaMemcpy(host, mine, n * sizeof(double), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) total += host[i] * host[i] / (round + 1);
    cudaFree(mine);
  }
  cudaFree(d);
  return total;
}

// A variable of the device's that changes from step to step.
void by_symbol(double *x, double rate, int n, int steps) {
  double *d;
  cudaMalloc(&d, n * sizeof(double));
  cudaMemcpy(d, x, n * sizeof(double), cudaMemcpyHostToDevice);
  for (int t = 0; t < steps; ++t) {
    double now[2] = {0.1 * t, 1 - 0.1 * t};
    cudaMemcpyToSymbol(shift, now, sizeof now);
    shifted<<<2, 32>>>(d, rate, n);
  }
  cudaMemcpy(x, d, n * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(d);
}

// A kernel that does something else when it is launched again, between such that do not.
void by_list(double *x, double rate, int n, int steps) {
  double *d, *picked;
  int *list, *count;
  cudaMalloc(&d, n * sizeof(double));
  cudaMalloc(&picked, n * sizeof(double));
  cudaMalloc(&list, n * sizeof(int));
  cudaMalloc(&count, sizeof(int));
  cudaMemcpy(d, x, n * sizeof(double), cudaMemcpyHostToDevice);
  for (int t = 0; t < steps; ++t) {
    cudaMemset(count, 0, sizeof(int));
    choose<<<2, 32>>>(list, count, d, 0.4, n);
    gather<<<2, 32>>>(picked, d, list, count, n);
    scatter<<<2, 32>>>(d, picked, list, count, rate / n);
    for (int k = 0; k < 4; ++k) grow<<<2, 32>>>(d, rate, n);
  }
  cudaMemcpy(x, d, n * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(d);
  cudaFree(picked);
  cudaFree(list);
  cudaFree(count);
}
