// Buffers that are made in loops and kept, and pointers to them in memory.
#include <cuda_runtime.h>
#include <cstdlib>
#include <vector>

__global__ void step(double *next, const double *now, double rate, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double left = i > 0 ? now[i - 1] : 0, right = i + 1 < n ? now[i + 1] : 0;
  next[i] = now[i] + rate * (left - 2 * now[i] + right) * now[i];
}
__global__ void correlate(double *sum, const double *a, const double *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, a[i] * b[i]);
}
__global__ void dense(double *y, const double *w, const double *x, int rows, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  double sum = w[rows * columns + i];
  for (int j = 0; j < columns; ++j) sum += w[i * columns + j] * x[j];
  y[i] = tanh(sum);
}
static double *made(int n) {
  double *p;
  cudaMalloc(&p, n * sizeof(double));
  return p;
}

// A new buffer for each state; the one before is freed.
double replaced(const double *x, double rate, int n, int steps) {
  double *now = made(n);
  cudaMemcpy(now, x, n * sizeof(double), cudaMemcpyHostToDevice);
  for (int t = 0; t < steps; ++t) {
    double *next = made(n);
    step<<<(n + 15) / 16, 16>>>(next, now, rate, n);
    cudaFree(now);
    now = next;
  }
  double host[64], sum = 0;
  cudaMemcpy(host, now, n * sizeof(double), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) sum += host[i] * (i + 1);
  cudaFree(now);
  return sum;
}

// Snapshots of all states, in a vector that grows, which are visited in the other order.
double snapshots(const double *x, double rate, int n, int steps) {
  std::vector<double *> states;
  double *first = made(n);
  cudaMemcpy(first, x, n * sizeof(double), cudaMemcpyHostToDevice);
  states.push_back(first);
  for (int t = 0; t < steps; ++t) {
    double *next = made(n);
    step<<<(n + 15) / 16, 16>>>(next, states.back(), rate, n);
    states.push_back(next);
  }
  double *image = made(1), result;
  cudaMemset(image, 0, sizeof(double));
  for (int t = steps; t > 0; --t) correlate<<<(n + 15) / 16, 16>>>(image, states[t], states[steps - t], n);
  cudaMemcpy(&result, image, sizeof(double), cudaMemcpyDeviceToHost);
  for (double *state : states) cudaFree(state);
  cudaFree(image);
  return result;
}

// Memory of the host's, row by row.
double rows(const double *x, int n, int m) {
  double **row = (double **)malloc(m * sizeof(double *));
  for (int i = 0; i < m; ++i) {
    row[i] = (double *)malloc(n * sizeof(double));
    for (int j = 0; j < n; ++j) row[i][j] = i == 0 ? x[j] : row[i - 1][j] * row[i - 1][(j + 1) % n];
  }
  double sum = 0;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) sum += row[i][j] / (i + j + 1);
  for (int i = 0; i < m; ++i) free(row[i]);
  free(row);
  return sum;
}

// Layers of a network, each with weights of its own.
struct Layer {
  int in, out;
  double *weights, *result;
  Layer(const double *w, int in, int out) : in(in), out(out), weights(made((in + 1) * out)), result(made(out)) {
    cudaMemcpy(weights, w, (in + 1) * out * sizeof(double), cudaMemcpyHostToDevice);
  }
  const double *forward(const double *x) {
    dense<<<(out + 15) / 16, 16>>>(result, weights, x, out, in);
    return result;
  }
  void release() {
    cudaFree(weights);
    cudaFree(result);
  }
};
double layered(const double *x, const double *w, const int *widths, int layers) {
  std::vector<Layer> network;
  for (int l = 0; l < layers; ++l) {
    network.push_back(Layer(w, widths[l], widths[l + 1]));
    w += (widths[l] + 1) * widths[l + 1];
  }
  double *input = made(widths[0]);
  cudaMemcpy(input, x, widths[0] * sizeof(double), cudaMemcpyHostToDevice);
  const double *at = input;
  for (auto &layer : network) at = layer.forward(at);
  std::vector<double> out(network.back().out);
  cudaMemcpy(out.data(), at, out.size() * sizeof(double), cudaMemcpyDeviceToHost);
  double loss = 0;
  for (double y : out) loss += (y - 0.5) * (y - 0.5);
  for (auto &layer : network) layer.release();
  cudaFree(input);
  return loss;
}

// Memory of the host's in vectors of vectors, which grow.
double nested(const double *x, int n) {
  std::vector<std::vector<double>> triangle;
  for (int i = 0; i < n; ++i) {
    std::vector<double> row(i + 1);
    for (int j = 0; j <= i; ++j) row[j] = x[j] + (i > 0 && j < i ? 0.5 * triangle[i - 1][j] * x[i] : 0);
    triangle.push_back(row);
  }
  triangle[1][0] *= 2;
  double sum = 0;
  for (const auto &row : triangle)
    for (double v : row) sum += v * v;
  return sum;
}

// A list.
struct Node {
  double value;
  Node *next;
};
double list(const double *x, int n) {
  Node *first = nullptr;
  for (int i = 0; i < n; ++i) {
    Node *node = new Node;
    node->value = x[i] * (first ? first->value + 1 : 1);
    node->next = first;
    first = node;
  }
  double sum = 0;
  while (first) {
    sum += first->value;
    Node *node = first;
    first = first->next;
    delete node;
  }
  return sum;
}

// Objects that own memory of the device, moved into a vector.
class Buffer {
public:
  explicit Buffer(int n) : data_(made(n)), n_(n) {}
  Buffer(Buffer &&other) noexcept : data_(other.data_), n_(other.n_) { other.data_ = nullptr; }
  Buffer(const Buffer &) = delete;
  ~Buffer() {
    if (data_) cudaFree(data_);
  }
  double *data() const { return data_; }
  void set(const double *x) { cudaMemcpy(data_, x, n_ * sizeof(double), cudaMemcpyHostToDevice); }

private:
  double *data_;
  int n_;
};
double owned(const double *x, double rate, int n, int steps) {
  std::vector<Buffer> history;
  history.emplace_back(n);
  history.back().set(x);
  for (int t = 0; t < steps; ++t) {
    Buffer next(n);
    step<<<(n + 15) / 16, 16>>>(next.data(), history[t].data(), rate, n);
    history.push_back(std::move(next));
  }
  double host[64], sum = 0;
  for (const Buffer &state : history) {
    cudaMemcpy(host, state.data(), n * sizeof(double), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) sum += host[i] * host[i];
  }
  return sum;
}

// Pointers to pointers to pointers, two of which lead into one row.
double tables(const double *x, int n) {
  double **rows = (double **)malloc(n * sizeof(double *));
  double ***all = (double ***)malloc(2 * sizeof(double **));
  for (int i = 0; i < n; ++i) {
    rows[i] = (double *)malloc(2 * sizeof(double));
    rows[i][0] = x[i] * x[i];
    rows[i][1] = x[0];
  }
  all[0] = rows;
  all[1] = rows + 1;
  double sum = 0;
  for (int i = 0; i + 1 < n; ++i) sum += all[0][i][0] * all[1][i][0] * all[i % 2][i][1];
  for (int i = 0; i < n; ++i) free(rows[i]);
  free(all);
  free(rows);
  return sum;
}
