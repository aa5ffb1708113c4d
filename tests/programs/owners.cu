// Classes that own memory: vectors, buffers on the device, and what the C++ library does with them.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#define CHECK(call)                                                                                                    \
  do {                                                                                                                 \
    const cudaError_t status = (call);                                                                                 \
    if (status != cudaSuccess) {                                                                                       \
      std::cerr << "error " << cudaGetErrorString(status) << " at line " << __LINE__ << std::endl;                     \
      throw std::runtime_error(cudaGetErrorString(status));                                                            \
    }                                                                                                                  \
  } while (0)

__global__ void scaled_square(double *y, const double *x, double a, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) y[i] = a * x[i] * x[i];
}

template <class T>
__global__ void axpy(T *y, const T *x, T a, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) y[i] += a * x[i];
}

// A buffer on the device that may be moved and not copied.
template <class T>
class DeviceBuffer {
public:
  explicit DeviceBuffer(size_t count) : count_(count) { CHECK(cudaMalloc(&data_, count * sizeof(T))); }
  DeviceBuffer(const std::vector<T> &host) : DeviceBuffer(host.size()) { upload(host.data()); }
  DeviceBuffer(const DeviceBuffer &) = delete;
  DeviceBuffer(DeviceBuffer &&other) : data_(other.data_), count_(other.count_) { other.data_ = nullptr; }
  DeviceBuffer &operator=(const DeviceBuffer &) = delete;
  ~DeviceBuffer() {
    if (data_ != nullptr) cudaFree(data_);
  }
  void upload(const T *host) { CHECK(cudaMemcpy(data_, host, count_ * sizeof(T), cudaMemcpyHostToDevice)); }
  std::vector<T> download() const {
    std::vector<T> host(count_);
    CHECK(cudaMemcpy(host.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
  }
  T *get() const { return data_; }
  size_t size() const { return count_; }

private:
  T *data_ = nullptr;
  size_t count_;
};

class Stream {
public:
  Stream() { CHECK(cudaStreamCreate(&stream_)); }
  ~Stream() { cudaStreamDestroy(stream_); }
  operator cudaStream_t() const { return stream_; }

private:
  cudaStream_t stream_;
};

double sum_of_squares(const double *x, double a, int n) {
  if (n <= 0) throw std::invalid_argument("n must be positive");
  std::vector<double> in(x, x + n), out(n);
  double *in_dev = nullptr, *out_dev = nullptr;
  CHECK(cudaMalloc((void **)&in_dev, in.size() * sizeof(double)));
  CHECK(cudaMalloc((void **)&out_dev, out.size() * sizeof(double)));
  CHECK(cudaMemcpy(in_dev, in.data(), in.size() * sizeof(double), cudaMemcpyHostToDevice));
  scaled_square<<<(n + 31) / 32, 32>>>(out_dev, in_dev, a, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(out.data(), out_dev, out.size() * sizeof(double), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(in_dev));
  CHECK(cudaFree(out_dev));
  double sum = 0;
  for (const double &value : out) sum += value;
  std::cout << "sum " << sum << std::endl;
  return sum;
}

double by_buffers(const double *x, double a, int n) {
  const std::vector<double> host(x, x + n);
  DeviceBuffer<double> in(host);
  DeviceBuffer<double> out(n);
  Stream stream;
  scaled_square<<<(n + 31) / 32, 32, 0, stream>>>(out.get(), in.get(), a, n);
  axpy<<<(n + 31) / 32, 32, 0, stream>>>(out.get(), in.get(), 0.5 * a, n);
  CHECK(cudaStreamSynchronize(stream));
  const auto result = out.download();
  return std::accumulate(result.begin(), result.end(), 0.0);
}

void by_algorithms(double *y, const double *x, int n) {
  std::vector<double> v(n), w(n, 2.0);
  std::copy(x, x + n, v.begin());
  std::transform(v.begin(), v.end(), w.begin(), w.begin(), [](double a, double b) { return a * a + b; });
  std::for_each(w.begin(), w.end(), [](double &a) { a *= 1.5; });
  std::reverse(w.begin(), w.end());
  std::swap(w[0], w[n - 1]);
  const double inner = std::inner_product(v.begin(), v.end(), w.begin(), 0.0);
  const double most = *std::max_element(v.begin(), v.end());
  std::array<double, 3> a = {inner, most, std::clamp(inner, 0.0, 1.0)};
  auto [first, second] = std::make_pair(a[0] * a[1], a[2]);
  std::fill(v.begin(), v.end(), first + second);
  std::copy(v.begin(), v.end(), y);
  for (int i = 0; i < n; ++i) y[i] += w[i];
}

double by_owning_pointers(const double *x, int n) {
  std::unique_ptr<double[]> copy(new double[n]);
  auto squares = std::make_unique<double[]>(n);
  double *cubes = new double[n]();
  for (int i = 0; i < n; ++i) {
    copy[i] = x[i];
    squares[i] = copy[i] * x[i];
    cubes[i] += squares[i] * copy[i];
  }
  std::unique_ptr<double> total = std::make_unique<double>(1.0);
  for (int i = 0; i < n; ++i) *total += cubes[i] * copy[n - 1 - i];
  delete[] cubes;
  return *total;
}

template <class T>
struct Scales {
  static T first;
  static const T half;
};
template <class T>
T Scales<T>::first = 3;
template <class T>
const T Scales<T>::half = T(1) / 2;

// Memory by C++'s functions, and by allocators.
double by_allocators(const double *x, int n) {
  double *raw = static_cast<double *>(::operator new(n * sizeof(double)));
  std::vector<double>::allocator_type memory;
  std::vector<double> filled(3, x[0], memory), listed({x[1], x[2] * x[0]}, memory), copied(x, x + n, memory);
  std::vector<double> grown(memory), plain(2, memory);
  double product = 1;
  for (int i = 0; i < n; ++i) {
    raw[i] = x[i] * copied[n - 1 - i];
    grown.push_back(raw[i]);
    plain[i % 2] += grown[i] * listed[i % 2];
    std::vector<double> once(i + 1, x[i] + plain[0], plain.get_allocator());
    product *= once[i];
  }
  ::operator delete(raw);
  return product * filled[2] + plain[1] * Scales<double>::first * Scales<float>::half;
}

static std::vector<double> powers(double x, int n) {
  std::vector<double> found;
  found.push_back(1.0);
  found.emplace_back(x);
  found.resize(n);
  for (int i = 2; i < n; ++i) found[i] = found[i - 1] * x;
  return found;
}

double by_growing(double x, int n) {
  std::vector<double> all = powers(x, n), more;
  more = all;
  more.insert(more.begin() + 1, 3 * x);
  more.erase(more.begin());
  more.resize(n + 2, x);
  all.swap(more);
  double sum = all.front() * all.back();
  for (size_t i = 0; i < all.size(); ++i) sum += all[i] * (i < more.size() ? more.at(i) : 1.0);
  return sum + powers(0.5 * x, 3)[2];
}

// A class whose member moves otherwise than it is copied: what moves it moves the member, whose memory stays where it is.
class Moved {
 public:
  explicit Moved(int n) : size(n) { CHECK(cudaMalloc(&data, n * sizeof(double))); }
  Moved(const Moved &other) : Moved(other.size) { *this = other; }
  Moved(Moved &&other) noexcept : data(std::exchange(other.data, nullptr)), size(std::exchange(other.size, 0)) {}
  ~Moved() { cudaFree(data); }
  Moved &operator=(const Moved &other) {
    CHECK(cudaMemcpy(data, other.data, size * sizeof(double), cudaMemcpyDeviceToDevice));
    return *this;
  }
  Moved &operator=(Moved &&other) noexcept {
    std::swap(data, other.data);
    std::swap(size, other.size);
    return *this;
  }
  double *data;
  int size;
};

struct Gained {
  Moved values;
  double gain;
};

double by_members_that_move(const double *x, double a, int n) {
  Gained first{Moved(n), a};
  double *place = first.values.data;
  CHECK(cudaMemcpy(place, x, n * sizeof(double), cudaMemcpyHostToDevice));
  Gained second(std::move(first));
  axpy<<<(n + 31) / 32, 32>>>(place, place, second.gain, n);
  Gained third{Moved(n), 2 * a};
  CHECK(cudaMemset(third.values.data, 0, n * sizeof(double)));
  third = std::move(second);
  axpy<<<(n + 31) / 32, 32>>>(place, place, third.gain, n);
  std::vector<double> found(n);
  CHECK(cudaMemcpy(found.data(), third.values.data, n * sizeof(double), cudaMemcpyDeviceToHost));
  double sum = first.values.size * a;
  for (double value : found) sum += value * value;
  return sum;
}
