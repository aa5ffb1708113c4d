// Memory of the CUDA runtime API, on plain memory. Part of <cladpy/host.h>.
//
// Every pointer is looked up (allocations.h): what was freed, ends too early, or is memory of the host where memory of
// the device belongs makes the call an error that says so. Everything is done when a call returns.
#ifndef CLADPY_HOST_RUNTIME_MEMORY_H
#define CLADPY_HOST_RUNTIME_MEMORY_H

struct cudaPointerAttributes {
  cudaMemoryType type;
  int device;
  void *devicePointer;
  void *hostPointer;
};
struct cudaMemLocation {
  cudaMemLocationType type;
  int id;
};
typedef struct CUmemPoolHandle_st *cudaMemPool_t;

namespace cladpy {
namespace host {

using Side = Allocations::Side;

inline cudaError_t allocate(const char *name, void **pointer, std::size_t bytes, MemoryKind kind) {
  if (!pointer) return keep_error(cudaErrorInvalidValue, "%s: there is no place for the pointer", name);
  const cudaError_t injected = count_call(name, cudaErrorMemoryAllocation);
  if (injected != cudaSuccess) return injected;
  *pointer = nullptr;
  if (!bytes) return cudaSuccess;
  *pointer = allocations.make(bytes, kind, name);
  if (*pointer) return cudaSuccess;
  return keep_error(cudaErrorMemoryAllocation, "%s: there is no memory for %zu bytes", name, bytes);
}

inline cudaError_t release(const char *name, void *pointer, bool pinned) {
  if (!pointer) return cudaSuccess;
  char text[320];
  allocations.free(pointer, pinned, text, sizeof text);
  return text[0] ? keep_error(cudaErrorInvalidValue, "%s: %s", name, text) : cudaSuccess;
}

// Whether memory may be used so; keeps the error.
inline cudaError_t look_at(const char *name, const char *what, const void *pointer, std::size_t bytes, Side side) {
  char text[400];
  if (!pointer) return keep_error(cudaErrorInvalidValue, "%s: the %s is null", name, what);
  allocations.check(what, pointer, bytes, side, text, sizeof text);
  return text[0] ? keep_error(cudaErrorInvalidValue, "%s: %s", name, text) : cudaSuccess;
}

// A copy of `height` rows, one of them where all lies together.
inline cudaError_t copy(const char *name, void *target, std::size_t target_pitch, const void *source,
                        std::size_t source_pitch, std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  const cudaError_t injected = count_call(name, cudaErrorInvalidValue);
  if (injected != cudaSuccess) return injected;
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
    return keep_error(cudaErrorInvalidMemcpyDirection, "%s: there is no direction %d", name, int(kind));
  if (!width || !height) return cudaSuccess;
  if (height > 1 && (width > target_pitch || width > source_pitch))
    return keep_error(cudaErrorInvalidValue, "%s: rows of %zu bytes overlap in a pitch of %zu", name, width,
                      target_pitch < source_pitch ? target_pitch : source_pitch);
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  const Side sides[2] = {to_device ? Side::device : Side::host, from_device ? Side::device : Side::host};
  const bool known = kind != cudaMemcpyDefault;
  const cudaError_t in_target = look_at(name, "target", target, (height - 1) * target_pitch + width,
                                        known ? sides[0] : Side::any);
  if (in_target != cudaSuccess) return in_target;
  const cudaError_t in_source = look_at(name, "source", source, (height - 1) * source_pitch + width,
                                        known ? sides[1] : Side::any);
  if (in_source != cudaSuccess) return in_source;
  for (std::size_t row = 0; row < height; ++row)
    std::memmove(static_cast<char *>(target) + row * target_pitch,
                 static_cast<const char *>(source) + row * source_pitch, width);
  return cudaSuccess;
}

inline cudaError_t set(const char *name, void *target, std::size_t pitch, int value, std::size_t width,
                       std::size_t height) {
  const cudaError_t injected = count_call(name, cudaErrorInvalidValue);
  if (injected != cudaSuccess) return injected;
  if (!width || !height) return cudaSuccess;
  if (height > 1 && width > pitch)
    return keep_error(cudaErrorInvalidValue, "%s: rows of %zu bytes overlap in a pitch of %zu", name, width, pitch);
  const cudaError_t found = look_at(name, "target", target, (height - 1) * pitch + width, Side::device);
  if (found != cudaSuccess) return found;
  for (std::size_t row = 0; row < height; ++row) std::memset(static_cast<char *>(target) + row * pitch, value, width);
  return cudaSuccess;
}

// Part of a variable at namespace scope, which is memory of the device; null where it ends before.
template <class T> char *part_of(const char *name, const T &symbol, std::size_t bytes, std::size_t offset) {
  if (offset <= sizeof(T) && bytes <= sizeof(T) - offset)
    return const_cast<char *>(reinterpret_cast<const volatile char *>(&symbol)) + offset;
  keep_error(cudaErrorInvalidValue, "%s: %zu bytes from byte %zu on are used of a variable of %zu", name, bytes, offset,
             sizeof(T));
  return nullptr;
}

template <class T> void know_symbol(T &symbol) {
  allocations.know(const_cast<const void *>(static_cast<const volatile void *>(&symbol)), sizeof symbol,
                   MemoryKind::symbol, "a variable");
}

} // namespace host
} // namespace cladpy

// ---- allocations ----

template <class T> cudaError_t cudaMalloc(T **pointer, std::size_t bytes) {
  return cladpy::host::allocate("cudaMalloc", reinterpret_cast<void **>(pointer), bytes, cladpy::host::MemoryKind::device);
}
inline cudaError_t cudaFree(void *pointer) { return cladpy::host::release("cudaFree", pointer, false); }
template <class T> cudaError_t cudaMallocAsync(T **pointer, std::size_t bytes, cudaStream_t) {
  return cladpy::host::allocate("cudaMallocAsync", reinterpret_cast<void **>(pointer), bytes,
                                cladpy::host::MemoryKind::device);
}
inline cudaError_t cudaFreeAsync(void *pointer, cudaStream_t) {
  return cladpy::host::release("cudaFreeAsync", pointer, false);
}
template <class T> cudaError_t cudaMallocManaged(T **pointer, std::size_t bytes, unsigned = cudaMemAttachGlobal) {
  return cladpy::host::allocate("cudaMallocManaged", reinterpret_cast<void **>(pointer), bytes,
                                cladpy::host::MemoryKind::managed);
}
template <class T> cudaError_t cudaMallocHost(T **pointer, std::size_t bytes, unsigned = 0) {
  return cladpy::host::allocate("cudaMallocHost", reinterpret_cast<void **>(pointer), bytes,
                                cladpy::host::MemoryKind::pinned);
}
template <class T> cudaError_t cudaHostAlloc(T **pointer, std::size_t bytes, unsigned) {
  return cladpy::host::allocate("cudaHostAlloc", reinterpret_cast<void **>(pointer), bytes,
                                cladpy::host::MemoryKind::pinned);
}
inline cudaError_t cudaFreeHost(void *pointer) { return cladpy::host::release("cudaFreeHost", pointer, true); }
template <class T>
cudaError_t cudaMallocPitch(T **pointer, std::size_t *pitch, std::size_t width, std::size_t height) {
  *pitch = (width + 511) / 512 * 512;
  return cladpy::host::allocate("cudaMallocPitch", reinterpret_cast<void **>(pointer), *pitch * height,
                                cladpy::host::MemoryKind::device);
}
inline cudaError_t cudaHostRegister(void *pointer, std::size_t bytes, unsigned) {
  cladpy::host::allocations.know(pointer, bytes, cladpy::host::MemoryKind::registered, "cudaHostRegister");
  return cudaSuccess;
}
inline cudaError_t cudaHostUnregister(void *pointer) {
  if (cladpy::host::allocations.forget(pointer)) return cudaSuccess;
  return cladpy::host::keep_error(cudaErrorInvalidValue, "cudaHostUnregister: %p is not registered", pointer);
}
template <class T> cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned) {
  *device = static_cast<T *>(host);
  return cudaSuccess;
}
inline cudaError_t cudaMemGetInfo(std::size_t *available, std::size_t *total) {
  *total = std::size_t(sysconf(_SC_PHYS_PAGES)) * std::size_t(sysconf(_SC_PAGESIZE));
  const std::size_t used = std::size_t(cladpy::host::allocations.live_bytes());
  *available = used < *total ? *total - used : 0;
  return cudaSuccess;
}
inline cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *pointer) {
  using cladpy::host::MemoryKind;
  void *own = const_cast<void *>(pointer);
  cladpy::host::Allocation found;
  *attributes = {cudaMemoryTypeUnregistered, 0, nullptr, own};
  if (!cladpy::host::allocations.find(pointer, &found) || found.freed) return cudaSuccess;
  switch (found.kind) {
  case MemoryKind::device:
  case MemoryKind::symbol: *attributes = {cudaMemoryTypeDevice, 0, own, nullptr}; break;
  case MemoryKind::managed: *attributes = {cudaMemoryTypeManaged, 0, own, own}; break;
  case MemoryKind::pinned:
  case MemoryKind::registered: *attributes = {cudaMemoryTypeHost, 0, own, own}; break;
  case MemoryKind::lent: break;
  }
  return cudaSuccess;
}
inline cudaError_t cudaMemPrefetchAsync(const void *, std::size_t, int, cudaStream_t = nullptr) { return cudaSuccess; }
inline cudaError_t cudaMemPrefetchAsync(const void *, std::size_t, cudaMemLocation, unsigned, cudaStream_t = nullptr) {
  return cudaSuccess;
}
inline cudaError_t cudaMemAdvise(const void *, std::size_t, cudaMemoryAdvise, int) { return cudaSuccess; }
inline cudaError_t cudaMemAdvise(const void *, std::size_t, cudaMemoryAdvise, cudaMemLocation) { return cudaSuccess; }
template <class T> cudaError_t cudaMallocFromPoolAsync(T **pointer, std::size_t bytes, cudaMemPool_t, cudaStream_t) {
  return cladpy::host::allocate("cudaMallocFromPoolAsync", reinterpret_cast<void **>(pointer), bytes,
                                cladpy::host::MemoryKind::device);
}
inline cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int) {
  *pool = nullptr;
  return cudaSuccess;
}
inline cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int) {
  *pool = nullptr;
  return cudaSuccess;
}
inline cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void *) { return cudaSuccess; }
inline cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, std::size_t) { return cudaSuccess; }

// ---- copies ----

inline cudaError_t cudaMemcpy(void *target, const void *source, std::size_t bytes, cudaMemcpyKind kind) {
  return cladpy::host::copy("cudaMemcpy", target, 0, source, 0, bytes, 1, kind);
}
inline cudaError_t cudaMemcpyAsync(void *target, const void *source, std::size_t bytes, cudaMemcpyKind kind,
                                   cudaStream_t = nullptr) {
  return cladpy::host::copy("cudaMemcpyAsync", target, 0, source, 0, bytes, 1, kind);
}
inline cudaError_t cudaMemcpyPeer(void *target, int, const void *source, int, std::size_t bytes) {
  return cladpy::host::copy("cudaMemcpyPeer", target, 0, source, 0, bytes, 1, cudaMemcpyDeviceToDevice);
}
inline cudaError_t cudaMemcpyPeerAsync(void *target, int, const void *source, int, std::size_t bytes,
                                       cudaStream_t = nullptr) {
  return cladpy::host::copy("cudaMemcpyPeerAsync", target, 0, source, 0, bytes, 1, cudaMemcpyDeviceToDevice);
}
inline cudaError_t cudaMemcpy2D(void *target, std::size_t target_pitch, const void *source, std::size_t source_pitch,
                                std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  return cladpy::host::copy("cudaMemcpy2D", target, target_pitch, source, source_pitch, width, height, kind);
}
inline cudaError_t cudaMemcpy2DAsync(void *target, std::size_t target_pitch, const void *source,
                                     std::size_t source_pitch, std::size_t width, std::size_t height,
                                     cudaMemcpyKind kind, cudaStream_t = nullptr) {
  return cladpy::host::copy("cudaMemcpy2DAsync", target, target_pitch, source, source_pitch, width, height, kind);
}
inline cudaError_t cudaMemset(void *target, int value, std::size_t bytes) {
  return cladpy::host::set("cudaMemset", target, 0, value, bytes, 1);
}
inline cudaError_t cudaMemsetAsync(void *target, int value, std::size_t bytes, cudaStream_t = nullptr) {
  return cladpy::host::set("cudaMemsetAsync", target, 0, value, bytes, 1);
}
inline cudaError_t cudaMemset2D(void *target, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  return cladpy::host::set("cudaMemset2D", target, pitch, value, width, height);
}
inline cudaError_t cudaMemset2DAsync(void *target, std::size_t pitch, int value, std::size_t width, std::size_t height,
                                     cudaStream_t = nullptr) {
  return cladpy::host::set("cudaMemset2DAsync", target, pitch, value, width, height);
}

// ---- variables at namespace scope ----

template <class T>
cudaError_t cudaMemcpyToSymbol(T &symbol, const void *source, std::size_t bytes, std::size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  char *target = cladpy::host::part_of("cudaMemcpyToSymbol", symbol, bytes, offset);
  if (!target) return cudaErrorInvalidValue;
  cladpy::host::know_symbol(symbol);
  return cladpy::host::copy("cudaMemcpyToSymbol", target, 0, source, 0, bytes, 1, kind);
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(T &symbol, const void *source, std::size_t bytes, std::size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t = nullptr) {
  return cudaMemcpyToSymbol(symbol, source, bytes, offset, kind);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void *target, const T &symbol, std::size_t bytes, std::size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  const char *source = cladpy::host::part_of("cudaMemcpyFromSymbol", symbol, bytes, offset);
  if (!source) return cudaErrorInvalidValue;
  cladpy::host::know_symbol(symbol);
  return cladpy::host::copy("cudaMemcpyFromSymbol", target, 0, source, 0, bytes, 1, kind);
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void *target, const T &symbol, std::size_t bytes, std::size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t = nullptr) {
  return cudaMemcpyFromSymbol(target, symbol, bytes, offset, kind);
}
template <class P, class T> cudaError_t cudaGetSymbolAddress(P **pointer, T &symbol) {
  cladpy::host::know_symbol(symbol);
  *pointer = reinterpret_cast<P *>(const_cast<std::remove_const_t<std::remove_all_extents_t<T>> *>(
      reinterpret_cast<const std::remove_all_extents_t<T> *>(&symbol)));
  return cudaSuccess;
}
template <class T> cudaError_t cudaGetSymbolSize(std::size_t *size, const T &) {
  *size = sizeof(T);
  return cudaSuccess;
}

#endif
