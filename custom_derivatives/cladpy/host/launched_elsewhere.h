// In place of <cladpy/launch.h>, for code that was emitted for a GPU and is compiled for the host, as when its gradient is
// checked: kernels run there as any, and only the functions that launch them on a GPU do not.
#pragma once

namespace cladpy {

struct launch {
  dim3 grid, block;
  size_t shared_mem;
  cudaStream_t stream;
  size_t unasked = static_cast<size_t>(-1);
};

struct stages_of_block {
  bool by_lanes;
  size_t declared;
};

template <class Signature, unsigned... sizes>
struct kernel;
template <class... P, unsigned... sizes>
struct kernel<void(P...), sizes...> {
  typedef void (*pointer)(P...);
  pointer compiled[sizeof...(sizes) ? sizeof...(sizes) : 1];

  template <class... A>
  cudaError_t run(const launch &, const A &...) const { return none(); }
  template <class... A>
  cudaError_t run_resident(const launch &, const A &...) const { return none(); }
  template <class Bytes, class... A>
  cudaError_t run_staged(const launch &, const stages_of_block &, const Bytes &, const A &...) const { return none(); }

 private:
  static cudaError_t none() { return host::keep_error(cudaErrorNotSupported, "what was emitted for a GPU is not launched on the host"); }
};

}  // namespace cladpy
