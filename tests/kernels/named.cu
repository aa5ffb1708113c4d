// Names of the user's that emitted code says too, of itself or of what it calls.
#include <cuda_runtime.h>

#include <type_traits>

struct Pair {
  double first, second;
};

__device__ double scale(double value, double by) { return value * by; }

// What functions that launch, and kernels that run several blocks, call their own variables.
__global__ void kernel(double *_grid, const double *_block, double _stream, int _shared_mem) {
  const int _state = blockIdx.x * blockDim.x + threadIdx.x;
  if (_state < _shared_mem) _grid[_state] = scale(_block[_state], _stream) * _block[_state];
}
__global__ void in_a_workspace(double *_tape, const double *_physical, int _threads, int _slots) {
  const int _peak = blockIdx.x * blockDim.x + threadIdx.x;
  if (_peak >= _threads) return;
  double _log = _physical[_peak];
  for (int _i = 0; _i < _slots; ++_i) _log = _log * _log * 0.9 + _physical[_i];
  _tape[_peak] = _log;
}
// A parameter is called as the adjoint of another is.
__global__ void second(double *y, const double *x, const double *_d_x, double *_d_y, double a, double _d_a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double d_x = _d_x[i] * x[i];
  y[i] = a * d_x + _d_a * x[i];
  _d_y[i] = d_x * d_x * _d_a;
}
// Functions, classes and variables of CUDA's that the body hides.
__global__ void hiding(double *y, const double *cladpy, double std, int dim3, int size_t) {
  const int scale = blockIdx.x * blockDim.x + threadIdx.x;
  if (scale >= dim3) return;
  Pair Pair = {cladpy[scale], std};
  double exp = ::exp(Pair.first) * Pair.second;
  {
    const double second = ::scale(exp, cladpy[scale]);
    exp += second * size_t;
  }
  y[scale] = exp;
}
// Classes without a name are spelled by variables.
namespace of {
static struct {
  double a, b;
} unnamed_table[2][3];
}  // namespace of
typedef std::remove_reference_t<decltype(of::unnamed_table[0][0])> Entry;
__device__ double of_entry(const Entry &entry, double x, int n) {
  return n > 0 ? entry.a * of_entry(entry, x, n - 1) + entry.b : x;
}
__global__ void unnamed_entries(double *y, const double *x, double a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Entry entry = {a, a * x[i % n]};
  if (i < n) y[i] = of_entry(entry, x[i], 3);
}
