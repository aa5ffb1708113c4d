// `cladpy::device_memory` on a runtime of plain memory, whose pools can be taken away as `cudaDeviceReset` does.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>
#include <set>

enum cudaError_t {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInvalidResourceHandle = 400,
  cudaErrorContextIsDestroyed = 709,
};
enum { cudaMemAllocationTypePinned, cudaMemLocationTypeDevice, cudaDevAttrMemoryPoolsSupported };
enum cudaMemPoolAttr { cudaMemPoolAttrReservedMemCurrent, cudaMemPoolAttrReleaseThreshold };
struct cudaMemPoolProps {
  int allocType;
  struct {
    int type, id;
  } location;
};
struct Pool {};
typedef Pool *cudaMemPool_t;

namespace {
std::set<cudaMemPool_t> pools;
std::map<void *, cudaMemPool_t> blocks;  // each with the pool that it is from, if any
int made = 0, error_of_the_gone = 0, last_error = 0;
bool are_supported = true;

cudaError_t told(int error) {
  if (error) last_error = error;
  return static_cast<cudaError_t>(error);
}
cudaError_t given(void **memory, size_t bytes, cudaMemPool_t from) {
  *memory = std::malloc(bytes);
  blocks[*memory] = from;
  return cudaSuccess;
}
cudaError_t released(void *memory) {
  if (!blocks.erase(memory)) return told(cudaErrorInvalidValue);
  std::free(memory);
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int *device) { return *device = 0, cudaSuccess; }
cudaError_t cudaGetLastError() {
  const int error = last_error;
  return last_error = 0, static_cast<cudaError_t>(error);
}
cudaError_t cudaMalloc(void **memory, size_t bytes) { return given(memory, bytes, nullptr); }
cudaError_t cudaFree(void *memory) { return released(memory); }
cudaError_t cudaFreeAsync(void *memory, void *) { return released(memory); }
cudaError_t cudaStreamSynchronize(void *) { return cudaSuccess; }
cudaError_t cudaMemGetInfo(size_t *available, size_t *total) { return *available = *total = 1600, cudaSuccess; }
cudaError_t cudaDeviceGetAttribute(int *value, int, int) { return *value = are_supported, cudaSuccess; }
cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const cudaMemPoolProps *) {
  return *pool = new Pool, pools.insert(*pool), ++made, cudaSuccess;
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void *) { return cudaSuccess; }
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr, void *value) {
  if (!pools.count(pool)) return told(error_of_the_gone);
  return *static_cast<std::uint64_t *>(value) = 0, cudaSuccess;
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t) { return cudaSuccess; }
cudaError_t cudaMallocFromPoolAsync(void **memory, size_t bytes, cudaMemPool_t from, void *) {
  return pools.count(from) ? given(memory, bytes, from) : told(error_of_the_gone);
}
} // namespace

#define __CUDACC__
#define CUDART_VERSION 13000
// Or else all libraries of a process that tests load would share the variables of the header.
#pragma GCC visibility push(hidden)
#include <cladpy/device_memory.h>
#pragma GCC visibility pop

extern "C" {
void reset_device(int error, int with_pools_after) {
  for (auto &block : blocks) std::free(block.first);
  blocks.clear();
  pools.clear();  // their addresses are not used again
  error_of_the_gone = error;
  are_supported = with_pools_after;
}
void *take() {
  void *memory = nullptr;
  return cladpy::device_memory::take(&memory, 64) == cudaSuccess ? memory : nullptr;
}
void give(void *memory) { cladpy::device_memory::give(memory); }
void rest() { cladpy::device_memory::rest(); }
int is_from_a_pool(void *memory) { return blocks.at(memory) != nullptr; }
int error_left() { return cudaGetLastError(); }
int pools_made() { return made; }
}
