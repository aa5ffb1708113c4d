// Scratch that an allocator keeps for the next one who asks, and pointers in objects that are led to it or swapped.
#include <cuda_runtime.h>

#include <thrust/device_vector.h>

#include <map>
#include <stack>
#include <vector>

__global__ void halved(const double *x, double *s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) s[i] = 0.5 * x[i] * x[i];
}
__global__ void multiply(const double *x, const double *s, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * s[n - 1 - i];
}
__global__ void smooth(const double *u, double *v, double nu, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) v[i] = u[i] + nu * u[i] * (u[i - 1] - 2 * u[i] + u[i + 1]);
}

template <class T>
class Field : public thrust::device_vector<T> {
 public:
  explicit Field(int n) : thrust::device_vector<T>(n) {}
  T *raw() { return thrust::raw_pointer_cast(this->data()); }
};

// Lists of spare vectors by their size.
template <class T>
class Allocator {
  typedef std::stack<T *> List;
  typedef std::map<int, List> Lists;
  static Lists &lists() {
    static Lists all;
    return all;
  }

 public:
  static T *allocate(int n) {
    T *v;
    bool none;
    {
      List &list = lists()[n];
      none = list.empty();
      if (!none) {
        v = list.top();
        list.pop();
      }
    }
    if (none) v = new T(n);
    return v;
  }
  static T *free(T *v, int n) {
    if (v != nullptr) lists()[n].push(v);
    return nullptr;
  }
};
typedef Allocator<Field<double>> Fields;

struct Mesh {
  int n;
  double *x, *y;
  Field<double> *strain;  // scratch of a step
  std::vector<cudaStream_t> streams;
  double nu;
};

static void step(Mesh *mesh) {
  mesh->strain = Fields::allocate(mesh->n);
  halved<<<1, 32, 0, mesh->streams[1]>>>(mesh->x, mesh->strain->raw(), mesh->n);
  multiply<<<1, 32>>>(mesh->x, mesh->strain->raw(), mesh->y, mesh->n);
  Fields::free(mesh->strain, mesh->n);
}
void run(Mesh *mesh, int steps) {
  for (int k = 0; k < steps; ++k) {
    step(mesh);
    double *const x = mesh->x;
    mesh->x = mesh->y;
    mesh->y = x;
  }
  smooth<<<1, 32>>>(mesh->x, mesh->y, mesh->nu, mesh->n);
}

// Pairs of pointers, of which the index is known.
struct Grids {
  double *u[2];
  double *out;
  double nu;
};
void relax(Grids &grids, int n, int steps) {
  for (int k = 0; k < steps; ++k) {
    smooth<<<1, 32>>>(grids.u[0], grids.u[1], grids.nu, n);
    double *t = grids.u[0];
    grids.u[0] = grids.u[1];
    grids.u[1] = t;
  }
  halved<<<1, 32>>>(grids.u[0], grids.out, n);
}

// A class that holds the memory, and says what is in use.
class Pool {
  struct Block {
    double *memory;
    size_t n;
    bool used;
  };
  std::vector<Block> blocks_;
  int made_ = 0;

 public:
  double *get(size_t n) {
    for (auto &block : blocks_)
      if (!block.used && block.n >= n) {
        block.used = true;
        return block.memory;
      }
    double *memory = nullptr;
    cudaMalloc(&memory, n * sizeof(double));
    blocks_.push_back({memory, n, true});
    ++made_;
    return memory;
  }
  void put(double *memory) {
    for (auto &block : blocks_)
      if (block.memory == memory) block.used = false;
  }
};
static Pool &pool() {
  static Pool one;
  return one;
}
void by_class(const double *x, double *y, int n) {
  double *s = pool().get(n);
  halved<<<1, 32>>>(x, s, n);
  multiply<<<1, 32>>>(x, s, y, n);
  pool().put(s);
  double *t = pool().get(n);
  halved<<<1, 32>>>(y, t, n);
  multiply<<<1, 32>>>(x, t, y, n);
  pool().put(t);
}

static std::map<size_t, std::vector<float *>> spare;
static std::vector<void *> every;
static float *take(size_t n) {
  auto found = spare.find(n);
  if (found != spare.end() && !found->second.empty()) {
    float *s = found->second.back();
    found->second.pop_back();
    return s;
  }
  float *s;
  cudaMalloc((void **)&s, n * sizeof(float));
  every.push_back(s);
  return s;
}
__global__ void squared(const float *x, float *s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) s[i] = x[i] * x[i];
}
float by_size(const float *x, int n) {
  float *s = take(n), *t = take(n), sum = 0;
  squared<<<1, 32>>>(x, s, n);
  squared<<<1, 32>>>(s, t, n);
  std::vector<float> host(n);
  cudaMemcpy(host.data(), t, n * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) sum += host[i];
  spare[n].push_back(s);
  spare[n].push_back(t);
  return sum;
}

// What is taken is returned where it is, and so is what is allocated.
static std::stack<double *> buffers;
static double *buffer(int n) {
  if (!buffers.empty()) {
    double *s = buffers.top();
    buffers.pop();
    return s;
  } else {
    return (double *)malloc(n * sizeof(double));
  }
}
double on_host(const double *x, int n) {
  double *s = buffer(n), sum = 0;
  for (int i = 0; i < n; ++i) s[i] = x[i] * x[i];
  for (int i = 0; i < n; ++i) sum += s[i] * x[n - 1 - i];
  buffers.push(s);
  return sum;
}
