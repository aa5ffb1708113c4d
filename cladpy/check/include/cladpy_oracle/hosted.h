// Host code around kernels: the CUDA runtime and C's memory functions as the host backend has them, with the tangents of
// what they move, set or begin. Memory that is freed needs nothing: what begins there later begins without tangents.
#ifndef CLADPY_ORACLE_HOSTED_H
#define CLADPY_ORACLE_HOSTED_H

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <malloc.h>

#include "cladpy_oracle/classes.h"

// What is said of mirrors of Kokkos' is for the gradient.
inline void cladpy_mirrors(const void *, const void *, long, int) {}

namespace cladpy_oracle {
// What questions about kernels are asked of: the host has one answer for all.
inline void any_kernel() {}

namespace hosted {

// What the program's `dim3` is for a launch.
template <class T> dim3 extents(const bundle<T> &given) {
  static_assert(sizeof(T) == 3 * sizeof(unsigned), "the class of a launch's extents");
  unsigned extent[3];
  std::memcpy(extent, &given.v, sizeof extent);
  return dim3(extent[0], extent[1], extent[2]);
}

// A pointer to void that a kernel is given: it takes it as what the memory holds.
struct untyped {
  const void *pointer;
  untyped(const void *given) : pointer(given) {}
  template <class T> operator T *() const { return static_cast<T *>(const_cast<void *>(pointer)); }
};

// What a program of the host said when it ended by an exception.
static char thrown[512];

// The error that the program leaves.
template <class Run> int guarded(const Run &run) {
  *thrown = 0;
  (void)cudaGetLastError();
  try {
    cladpy::host::watch_host_code(run);
  } catch (const std::exception &why) {
    std::snprintf(thrown, sizeof thrown, "%s", why.what());
    return cudaErrorUnknown;
  }
  return cudaGetLastError();
}

// ---- memory of the C library ----

inline void *malloc(std::size_t bytes) {
  void *memory = std::malloc(bytes);
  if (memory) shadows.clear(memory, bytes);
  return memory;
}
inline void *calloc(std::size_t count, std::size_t size) {
  void *memory = std::calloc(count, size);
  if (memory) shadows.clear(memory, count * size);
  return memory;
}
inline void free(void *memory) { std::free(memory); }
inline void *realloc(void *before, std::size_t bytes) {
  // What lies behind the part that is kept begins anew.
  const std::size_t held = before ? malloc_usable_size(before) : 0;
  void *memory = malloc(bytes);
  if (!memory) return nullptr;
  const std::size_t kept = held < bytes ? held : bytes;
  if (kept) std::memcpy(memory, before, kept);
  shadows.move(memory, before, kept);
  std::free(before);
  return memory;
}
inline void *memmove(void *target, const void *source, std::size_t bytes) {
  cladpy::host::note_read(source, bytes);
  cladpy::host::note_write(target, bytes);
  shadows.move(target, source, bytes);
  return std::memmove(target, source, bytes);
}
inline void *memcpy(void *target, const void *source, std::size_t bytes) { return memmove(target, source, bytes); }
inline void *memset(void *target, int value, std::size_t bytes) {
  cladpy::host::note_write(target, bytes);
  shadows.clear(target, bytes);
  return std::memset(target, value, bytes);
}

// ---- memory of the CUDA runtime ----

template <class T> cudaError_t begun(cudaError_t error, T *const *pointer, std::size_t bytes) {
  if (error == cudaSuccess && *pointer) shadows.clear(*pointer, bytes);
  return error;
}
template <class T> cudaError_t cudaMalloc(T **pointer, std::size_t bytes) {
  return begun(::cudaMalloc(pointer, bytes), pointer, bytes);
}
template <class T> cudaError_t cudaMallocAsync(T **pointer, std::size_t bytes, cudaStream_t stream) {
  return begun(::cudaMallocAsync(pointer, bytes, stream), pointer, bytes);
}
template <class T> cudaError_t cudaMallocFromPoolAsync(T **pointer, std::size_t bytes, cudaMemPool_t pool,
                                                        cudaStream_t stream) {
  return begun(::cudaMallocFromPoolAsync(pointer, bytes, pool, stream), pointer, bytes);
}
template <class T> cudaError_t cudaMallocManaged(T **pointer, std::size_t bytes, unsigned flags = cudaMemAttachGlobal) {
  return begun(::cudaMallocManaged(pointer, bytes, flags), pointer, bytes);
}
template <class T> cudaError_t cudaMallocHost(T **pointer, std::size_t bytes, unsigned flags = 0) {
  return begun(::cudaMallocHost(pointer, bytes, flags), pointer, bytes);
}
template <class T> cudaError_t cudaHostAlloc(T **pointer, std::size_t bytes, unsigned flags) {
  return begun(::cudaHostAlloc(pointer, bytes, flags), pointer, bytes);
}
template <class T> cudaError_t cudaMallocPitch(T **pointer, std::size_t *pitch, std::size_t width, std::size_t height) {
  const cudaError_t error = ::cudaMallocPitch(pointer, pitch, width, height);
  return begun(error, pointer, error == cudaSuccess ? *pitch * height : 0);
}

// A copy that the runtime refuses moves nothing.
inline cudaError_t cudaMemcpy(void *target, const void *source, std::size_t bytes, cudaMemcpyKind kind) {
  const cudaError_t error = ::cudaMemcpy(target, source, bytes, kind);
  if (error == cudaSuccess) shadows.move(target, source, bytes);
  return error;
}
inline cudaError_t cudaMemcpyAsync(void *target, const void *source, std::size_t bytes, cudaMemcpyKind kind,
                                   cudaStream_t = nullptr) {
  return hosted::cudaMemcpy(target, source, bytes, kind);
}
inline cudaError_t cudaMemcpyPeer(void *target, int to, const void *source, int from, std::size_t bytes) {
  const cudaError_t error = ::cudaMemcpyPeer(target, to, source, from, bytes);
  if (error == cudaSuccess) shadows.move(target, source, bytes);
  return error;
}
inline cudaError_t cudaMemcpyPeerAsync(void *target, int to, const void *source, int from, std::size_t bytes,
                                       cudaStream_t = nullptr) {
  return hosted::cudaMemcpyPeer(target, to, source, from, bytes);
}
inline cudaError_t cudaMemcpy2D(void *target, std::size_t target_pitch, const void *source, std::size_t source_pitch,
                                std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  const cudaError_t error = ::cudaMemcpy2D(target, target_pitch, source, source_pitch, width, height, kind);
  for (std::size_t row = 0; error == cudaSuccess && row < height; ++row)
    shadows.move(static_cast<char *>(target) + row * target_pitch,
                 static_cast<const char *>(source) + row * source_pitch, width);
  return error;
}
inline cudaError_t cudaMemcpy2DAsync(void *target, std::size_t target_pitch, const void *source,
                                     std::size_t source_pitch, std::size_t width, std::size_t height,
                                     cudaMemcpyKind kind, cudaStream_t = nullptr) {
  return hosted::cudaMemcpy2D(target, target_pitch, source, source_pitch, width, height, kind);
}
inline cudaError_t cudaMemset(void *target, int value, std::size_t bytes) {
  const cudaError_t error = ::cudaMemset(target, value, bytes);
  if (error == cudaSuccess) shadows.clear(target, bytes);
  return error;
}
inline cudaError_t cudaMemsetAsync(void *target, int value, std::size_t bytes, cudaStream_t = nullptr) {
  return hosted::cudaMemset(target, value, bytes);
}
inline cudaError_t cudaMemset2D(void *target, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  const cudaError_t error = ::cudaMemset2D(target, pitch, value, width, height);
  for (std::size_t row = 0; error == cudaSuccess && row < height; ++row)
    shadows.clear(static_cast<char *>(target) + row * pitch, width);
  return error;
}
inline cudaError_t cudaMemset2DAsync(void *target, std::size_t pitch, int value, std::size_t width, std::size_t height,
                                     cudaStream_t = nullptr) {
  return hosted::cudaMemset2D(target, pitch, value, width, height);
}

// A symbol is a variable at namespace scope; its tangents are those of its memory.
template <class T> char *in_symbol(const T &symbol, std::size_t offset) {
  return const_cast<char *>(reinterpret_cast<const char *>(&symbol)) + offset;
}
template <class T>
cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *source, std::size_t bytes, std::size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  const cudaError_t error = ::cudaMemcpyToSymbol(const_cast<T &>(symbol), source, bytes, offset, kind);
  if (error == cudaSuccess) shadows.move(in_symbol(symbol, offset), source, bytes);
  return error;
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *source, std::size_t bytes, std::size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t = nullptr) {
  return hosted::cudaMemcpyToSymbol(symbol, source, bytes, offset, kind);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void *target, const T &symbol, std::size_t bytes, std::size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  const cudaError_t error = ::cudaMemcpyFromSymbol(target, symbol, bytes, offset, kind);
  if (error == cudaSuccess) shadows.move(target, in_symbol(symbol, offset), bytes);
  return error;
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void *target, const T &symbol, std::size_t bytes, std::size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t = nullptr) {
  return hosted::cudaMemcpyFromSymbol(target, symbol, bytes, offset, kind);
}

}  // namespace hosted
}  // namespace cladpy_oracle

#endif
