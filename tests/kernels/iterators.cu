// Range-based for over classes whose iterators are objects.
struct Steps {
  struct Iterator {
    int at, by;
    __device__ int operator*() const { return at; }
    __device__ Iterator &operator++() {
      at += by;
      return *this;
    }
    __device__ Iterator operator++(int) = delete;
    __device__ bool operator!=(const Iterator &other) const { return at < other.at; }
  };
  int first, last, by;
  __device__ Iterator begin() const { return {first, by}; }
  __device__ Iterator end() const { return {last, by}; }
};

// Products of neighbours, made on the way.
template <typename T>
class Products {
  const T *data_;
  int count_;

 public:
  class Iterator {
    const T *at_;
    T scale_;

   public:
    __device__ Iterator(const T *at, T scale) : at_(at), scale_(scale) {}
    __device__ T operator*() const { return at_[0] * at_[1] * scale_; }
    __device__ Iterator &operator++() {
      ++at_;
      scale_ *= T(0.9);
      return *this;
    }
    __device__ bool operator==(Iterator other) const { return at_ == other.at_; }
    __device__ bool operator!=(Iterator other) const { return !(*this == other); }
  };
  T scale;
  __device__ Products(const T *data, int count, T scale) : data_(data), count_(count), scale(scale) {}
  __device__ Iterator begin() const { return Iterator(data_, scale); }
  __device__ Iterator end() const { return Iterator(data_ + count_ - 1, T(1)); }
};

struct Entry {
  double weight;
  int column;
};
struct Row {
  const double *weights;
  const int *columns;
  int count;
  struct Iterator {
    const Row *row;
    int k;
    __device__ Entry operator*() const { return {row->weights[k], row->columns[k]}; }
    __device__ void operator++() { ++k; }
    __device__ bool operator!=(const Iterator &other) const { return k != other.k; }
  };
  __device__ Iterator begin() const { return {this, 0}; }
  __device__ Iterator end() const { return {this, count}; }
};

__global__ void iterators(const double *x, const int *columns, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = 1.0;
  for (int k : Steps{i % 3, i % 3 + 9, 2}) {
    if (k == 4) continue;
    s *= x[(i + k) % n];
    if (s < 1e-3) break;
  }
  for (double p : Products<double>(x, 5, x[i])) s += p * p;
  const Row row{x + i % 4, columns + i % 4, 6};
  for (auto [weight, column] : row) s += weight * x[column] * s;
  y[i] = s;
}
