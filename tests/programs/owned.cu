// Objects that own memory of the device, as larger programs have them.
#include <cuda_runtime.h>
#include <cstddef>
#include <utility>

__global__ void square(double *out, const double *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * in[i];
}
__global__ void multiply_add(double *y, const double *x, double a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = y[i] * a + x[i] * y[i];
}

// Freed when its scope ends.
template <class T> class DeviceBuffer {
public:
  explicit DeviceBuffer(std::size_t count) : count_(count) { cudaMalloc(&data_, count * sizeof(T)); }
  DeviceBuffer(const T *host, std::size_t count) : DeviceBuffer(count) { upload(host); }
  DeviceBuffer(const DeviceBuffer &) = delete;
  DeviceBuffer &operator=(const DeviceBuffer &) = delete;
  DeviceBuffer(DeviceBuffer &&other) noexcept : data_(other.data_), count_(other.count_) { other.data_ = nullptr; }
  ~DeviceBuffer() { cudaFree(data_); }

  T *get() { return data_; }
  const T *get() const { return data_; }
  std::size_t size() const { return count_; }
  void upload(const T *host) { cudaMemcpy(data_, host, count_ * sizeof(T), cudaMemcpyHostToDevice); }
  void download(T *host) const { cudaMemcpy(host, data_, count_ * sizeof(T), cudaMemcpyDeviceToHost); }
  void zero() { cudaMemset(data_, 0, count_ * sizeof(T)); }
  void swap(DeviceBuffer &other) {
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
  }

private:
  T *data_ = nullptr;
  std::size_t count_ = 0;
};

double with_buffers(const double *in, double a, int n) {
  DeviceBuffer<double> x(in, n), y(n);
  square<<<(n + 15) / 16, 16>>>(y.get(), x.get(), n);
  multiply_add<<<(n + 15) / 16, 16>>>(y.get(), x.get(), a, n);
  double host[64], sum = 0;
  y.download(host);
  for (int i = 0; i < n; ++i) sum += host[i] / (i + 1);
  return sum;
}

void buffers_that_swap(double *out, const double *in, double a, int n, int steps) {
  DeviceBuffer<double> now(in, n), next(n);
  for (int t = 0; t < steps; ++t) {
    if (t == 7) return;
    DeviceBuffer<double> scratch(n);
    square<<<(n + 15) / 16, 16>>>(scratch.get(), now.get(), n);
    next.zero();
    cudaMemcpy(next.get(), now.get(), n * sizeof(double), cudaMemcpyDeviceToDevice);
    multiply_add<<<(n + 15) / 16, 16>>>(next.get(), scratch.get(), a, n);
    now.swap(next);
  }
  now.download(out);
}

// A simulation that holds its state and steps.
class Model {
public:
  Model(const double *start, int n, double rate) : n_(n), rate_(rate) {
    cudaMalloc(&state_, n * sizeof(double));
    cudaMalloc(&work_, n * sizeof(double));
    cudaMemcpy(state_, start, n * sizeof(double), cudaMemcpyHostToDevice);
  }
  ~Model() {
    cudaFree(state_);
    cudaFree(work_);
  }
  void step() {
    square<<<blocks(), 16>>>(work_, state_, n_);
    multiply_add<<<blocks(), 16>>>(state_, work_, 1 - rate_, n_);
    ++steps_;
  }
  double at(int i) const {
    double value;
    cudaMemcpy(&value, state_ + i, sizeof value, cudaMemcpyDeviceToHost);
    return value;
  }
  int steps() const { return steps_; }

private:
  int blocks() const { return (n_ + 15) / 16; }
  double *state_, *work_;
  int n_, steps_ = 0;
  double rate_;
};

double simulate(const double *start, double rate, int n, int steps) {
  Model model(start, n, rate);
  double sum = 0;
  while (model.steps() < steps) {
    model.step();
    sum += model.at(model.steps() % n);
  }
  return sum;
}
