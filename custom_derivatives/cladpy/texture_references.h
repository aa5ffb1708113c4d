// Texture references of linear memory, which CUDA has had until version 11: the pointer that one was bound to, and how
// much memory there is. What lies outside of it is read as zero, as the hardware reads it.
#ifndef CLADPY_TEXTURE_REFERENCES_H
#define CLADPY_TEXTURE_REFERENCES_H

#include <cuda_runtime.h>

#include <cstddef>

namespace cladpy {

template <class T, int dimensions = 1, int mode = 0> struct texture_reference {
  const T *memory;
  std::size_t size; // in elements
};

} // namespace cladpy

template <class T> __device__ inline T tex1Dfetch(const cladpy::texture_reference<T, 1, 0> &reference, int i) {
  return i >= 0 && static_cast<std::size_t>(i) < reference.size ? reference.memory[i] : T{};
}

#ifdef CLADPY_IS_READ
template <class T, int mode, class... Given>
cudaError_t cudaBindTexture(std::size_t *, cladpy::texture_reference<T, 1, mode> &, const void *, const Given &...);
template <class T, int mode, class... Given>
cudaError_t cudaBindTexture(std::size_t *, cladpy::texture_reference<T, 1, mode> *, const void *, const Given &...);
#else
template <class T, int mode>
cudaError_t cudaBindTexture(std::size_t *offset, cladpy::texture_reference<T, 1, mode> &reference, const void *memory,
                            std::size_t bytes) {
  if (offset != nullptr) *offset = 0;
  const cladpy::texture_reference<T, 1, mode> bound{static_cast<const T *>(memory), bytes / sizeof(T)};
  return cudaMemcpyToSymbol(reference, &bound, sizeof bound);
}
template <class T, int mode, class Channels>
cudaError_t cudaBindTexture(std::size_t *offset, cladpy::texture_reference<T, 1, mode> &reference, const void *memory,
                            const Channels &, std::size_t bytes) {
  return cudaBindTexture(offset, reference, memory, bytes);
}
template <class T, int mode, class Channels>
cudaError_t cudaBindTexture(std::size_t *offset, cladpy::texture_reference<T, 1, mode> *reference, const void *memory,
                            const Channels *, std::size_t bytes) {
  return cudaBindTexture(offset, *reference, memory, bytes);
}
#endif
template <class T, int mode> cudaError_t cudaUnbindTexture(const cladpy::texture_reference<T, 1, mode> &) {
  return cudaSuccess;
}
template <class T, int mode> cudaError_t cudaUnbindTexture(const cladpy::texture_reference<T, 1, mode> *) {
  return cudaSuccess;
}

// A reference is declared without a word of where it lies.
#define texture __device__ ::cladpy::texture_reference

#endif // CLADPY_TEXTURE_REFERENCES_H
