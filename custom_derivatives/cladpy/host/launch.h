// What `kernel<<<grid, block, shared, stream>>>(...)` becomes. Part of <cladpy/host.h>.
#ifndef CLADPY_HOST_LAUNCH_H
#define CLADPY_HOST_LAUNCH_H

namespace cladpy {
namespace host {

// Runs `body()` for every thread of the grid. Returns when all is done; the stream is not looked at.
template <class F>
cudaError_t launch(dim3 grid, dim3 block, std::size_t shared, cudaStream_t stream, F &&body) {
  (void)stream;
  const cudaError_t injected = count_call("a launch", cudaErrorLaunchOutOfResources);
  if (injected != cudaSuccess) return injected;
  using Body = std::remove_reference_t<F>;
  void *object = const_cast<void *>(static_cast<const void *>(std::addressof(body)));
  stack_t stack_before = {};
  const bool guarded = !scheduler.running() && allocations.any() && guards.enter(&stack_before);
  const cudaError_t error =
      scheduler.launch(grid, block, shared, [](void *b) { (*static_cast<Body *>(b))(); }, object);
  if (guarded) guards.leave(&stack_before);
  if (error != cudaSuccess) {
    keep_error(error, "%s", scheduler.error());
    text_is_of_launch = true;
  } else if (text_is_of_launch) {
    last_error_text[0] = 0;
  }
  return error;
}

// How many blocks run those of the original, where a gradient lets them run several one after the other. Where races are
// looked for each runs one: what a thread does later is ordered behind what it did before.
inline unsigned standing_blocks(unsigned long long blocks) {
#ifdef CLADPY_CHECK_RACES
  return static_cast<unsigned>(blocks);
#else
  return static_cast<unsigned>((blocks + 1) / 2);
#endif
}

// The same of a launch in a macro: `body` is given the arguments, which are evaluated once.
template <class F, class... Given>
cudaError_t launch_with(dim3 grid, dim3 block, std::size_t shared, cudaStream_t stream, F &&body, Given &&...given) {
  return launch(grid, block, shared, stream, [&] { body(given...); });
}

} // namespace host
} // namespace cladpy

extern "C" {
// The text of the last failure, empty if all went well since.
__attribute__((used, visibility("default"))) inline const char *cladpy_host_error() {
  return cladpy::host::last_error_text;
}
}

#endif
