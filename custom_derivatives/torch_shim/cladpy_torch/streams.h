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
inline DeviceIndex current_device() { return 0; }
inline DeviceIndex device_count() { return 1; }
inline void set_device(DeviceIndex) {}
inline DeviceIndex MaybeSetDevice(DeviceIndex) { return 0; }
struct CUDAGuard {
  explicit CUDAGuard(DeviceIndex) {}
  explicit CUDAGuard(Device) {}
};
struct OptionalCUDAGuard {
  OptionalCUDAGuard() {}
  explicit OptionalCUDAGuard(DeviceIndex) {}
  explicit OptionalCUDAGuard(Device) {}
  template <class D> explicit OptionalCUDAGuard(const std::optional<D> &) {}
};
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
inline cudaDeviceProp *getDeviceProperties(int64_t = 0) {
  static cudaDeviceProp properties;
  static const bool asked = cudaGetDeviceProperties(&properties, 0) == cudaSuccess;
  return asked ? &properties : nullptr;
}
inline cudaDeviceProp *getCurrentDeviceProperties() { return getDeviceProperties(); }
template <class T> constexpr T ATenCeilDiv(T a, T b) { return (a + b - 1) / b; }
}  // namespace cuda
struct Context {
  void alertNotDeterministic(const char *) const {}
  bool deterministicAlgorithms() const { return false; }
};
inline Context globalContext() { return Context(); }
template <class T> __host__ __device__ constexpr T ceil_div(T a, T b) { return (a + b - 1) / b; }
}  // namespace at

#endif  // CLADPY_TORCH_STREAMS_H
