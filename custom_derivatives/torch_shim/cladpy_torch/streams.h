// The caller's device and stream.
#ifndef CLADPY_TORCH_STREAMS_H
#define CLADPY_TORCH_STREAMS_H

#include "options.h"
#include <cuda_runtime.h>

namespace c10 {
namespace cuda {
// The stream that everything here runs on.
struct CUDAStream {
  cudaStream_t stream() const { return nullptr; }
  operator cudaStream_t() const { return nullptr; }
};
inline CUDAStream getCurrentCUDAStream(DeviceIndex = -1) { return CUDAStream(); }
inline CUDAStream getDefaultCUDAStream(DeviceIndex = -1) { return CUDAStream(); }
struct CUDAGuard {
  explicit CUDAGuard(DeviceIndex) {}
  explicit CUDAGuard(Device) {}
};
using OptionalCUDAGuard = CUDAGuard;
struct CUDAStreamGuard {
  explicit CUDAStreamGuard(CUDAStream) {}
};
}  // namespace cuda
struct OptionalDeviceGuard {
  explicit OptionalDeviceGuard(Device) {}
};
using DeviceGuard = OptionalDeviceGuard;
}  // namespace c10

namespace at {
using c10::DeviceGuard;
using c10::OptionalDeviceGuard;
class Tensor;
inline Device device_of(const Tensor &) { return Device(); }
namespace cuda {
using namespace c10::cuda;
template <class T> constexpr T ATenCeilDiv(T a, T b) { return (a + b - 1) / b; }
}  // namespace cuda
template <class T> __host__ __device__ constexpr T ceil_div(T a, T b) { return (a + b - 1) / b; }
}  // namespace at

#endif  // CLADPY_TORCH_STREAMS_H
