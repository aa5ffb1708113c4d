// Networks, written as programs without a library have them: one kernel for each operation.
#include <cuda_runtime.h>
#include <cmath>
#include <cstdlib>

__global__ void matmul(double *c, const double *a, const double *b, int m, int n, int k) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || column >= n) return;
  double sum = 0;
  for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
  c[row * n + column] = sum;
}
__global__ void add_bias(double *x, const double *bias, int rows, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows * columns) x[i] += bias[i % columns];
}
__global__ void gelu(double *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    double v = x[i];
    x[i] = 0.5 * v * (1 + tanh(0.7978845608028654 * (v + 0.044715 * v * v * v)));
  }
}
__global__ void softmax_rows(double *out, const double *in, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const double *x = in + row * columns;
  double largest = x[0], sum = 0;
  for (int j = 1; j < columns; ++j) largest = fmax(largest, x[j]);
  for (int j = 0; j < columns; ++j) sum += exp(x[j] - largest);
  for (int j = 0; j < columns; ++j) out[row * columns + j] = exp(x[j] - largest) / sum;
}
__global__ void cross_entropy(double *losses, const double *p, const int *labels, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) losses[row] = -log(p[row * columns + labels[row]]);
}

double mlp_loss(const double *x, const double *w1, const double *b1, const double *w2, const double *b2,
                const int *labels, int batch, int in, int hidden, int out) {
  double *d_x, *d_w1, *d_b1, *d_w2, *d_b2, *h, *logits, *p, *losses;
  int *d_labels;
  size_t s = sizeof(double);
  cudaMalloc(&d_x, batch * in * s);
  cudaMalloc(&d_w1, in * hidden * s);
  cudaMalloc(&d_b1, hidden * s);
  cudaMalloc(&d_w2, hidden * out * s);
  cudaMalloc(&d_b2, out * s);
  cudaMalloc(&h, batch * hidden * s);
  cudaMalloc(&logits, batch * out * s);
  cudaMalloc(&p, batch * out * s);
  cudaMalloc(&losses, batch * s);
  cudaMalloc(&d_labels, batch * sizeof(int));
  cudaMemcpy(d_x, x, batch * in * s, cudaMemcpyHostToDevice);
  cudaMemcpy(d_w1, w1, in * hidden * s, cudaMemcpyHostToDevice);
  cudaMemcpy(d_b1, b1, hidden * s, cudaMemcpyHostToDevice);
  cudaMemcpy(d_w2, w2, hidden * out * s, cudaMemcpyHostToDevice);
  cudaMemcpy(d_b2, b2, out * s, cudaMemcpyHostToDevice);
  cudaMemcpy(d_labels, labels, batch * sizeof(int), cudaMemcpyHostToDevice);

  dim3 block(8, 4);
  dim3 grid1((hidden + block.x - 1) / block.x, (batch + block.y - 1) / block.y);
  matmul<<<grid1, block>>>(h, d_x, d_w1, batch, hidden, in);
  add_bias<<<(batch * hidden + 31) / 32, 32>>>(h, d_b1, batch, hidden);
  gelu<<<(batch * hidden + 31) / 32, 32>>>(h, batch * hidden);
  dim3 grid2((out + block.x - 1) / block.x, (batch + block.y - 1) / block.y);
  matmul<<<grid2, block>>>(logits, h, d_w2, batch, out, hidden);
  add_bias<<<(batch * out + 31) / 32, 32>>>(logits, d_b2, batch, out);
  softmax_rows<<<1, 32>>>(p, logits, batch, out);
  cross_entropy<<<1, 32>>>(losses, p, d_labels, batch, out);

  double *host = (double *)malloc(batch * s), loss = 0;
  cudaMemcpy(host, losses, batch * s, cudaMemcpyDeviceToHost);
  for (int i = 0; i < batch; ++i) loss += host[i];
  free(host);
  cudaFree(d_x);
  cudaFree(d_w1);
  cudaFree(d_b1);
  cudaFree(d_w2);
  cudaFree(d_b2);
  cudaFree(h);
  cudaFree(logits);
  cudaFree(p);
  cudaFree(losses);
  cudaFree(d_labels);
  return loss / batch;
}

// A recurrent cell over time: the same weights at every step.
__global__ void cell(double *next, const double *state, const double *x, const double *w, const double *u, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  double sum = 0;
  for (int j = 0; j < n; ++j) sum += w[i * n + j] * state[j] + u[i * n + j] * x[j];
  next[i] = tanh(sum);
}
double recurrent(const double *xs, const double *w, const double *u, int n, int steps) {
  double *d_xs, *d_w, *d_u, *state, *next;
  cudaMalloc(&d_xs, steps * n * sizeof(double));
  cudaMalloc(&d_w, n * n * sizeof(double));
  cudaMalloc(&d_u, n * n * sizeof(double));
  cudaMalloc(&state, n * sizeof(double));
  cudaMalloc(&next, n * sizeof(double));
  cudaMemcpy(d_xs, xs, steps * n * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemcpy(d_w, w, n * n * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemcpy(d_u, u, n * n * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemset(state, 0, n * sizeof(double));
  double loss = 0, host[16];
  for (int t = 0; t < steps; ++t) {
    cell<<<1, 32>>>(next, state, d_xs + t * n, d_w, d_u, n);
    cudaMemcpy(host, next, n * sizeof(double), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) loss += (host[i] - 0.3) * (host[i] - 0.3);
    double *held = state;
    state = next;
    next = held;
  }
  cudaFree(d_xs);
  cudaFree(d_w);
  cudaFree(d_u);
  cudaFree(state);
  cudaFree(next);
  return loss;
}
