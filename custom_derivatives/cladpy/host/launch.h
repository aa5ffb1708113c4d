// What `kernel<<<grid, block, shared, stream>>>(...)` becomes. Part of <cladpy/host.h>.
#ifndef CLADPY_HOST_LAUNCH_H
#define CLADPY_HOST_LAUNCH_H

namespace cladpy {
namespace host {

// Runs `call(object)` for every thread of the grid. Returns when all is done.
inline cudaError_t launch_called(dim3 grid, dim3 block, std::size_t shared, void (*call)(void *), void *object) {
  const cudaError_t injected = count_call("a launch", cudaErrorLaunchOutOfResources);
  if (injected != cudaSuccess) return injected;
  stack_t stack_before = {};
  const bool guarded = !scheduler.running() && allocations.any() && guards.enter(&stack_before);
  const cudaError_t error = scheduler.launch(grid, block, shared, call, object);
  if (guarded) guards.leave(&stack_before);
  if (error != cudaSuccess) {
    keep_error(error, "%s", scheduler.error());
    text_is_of_launch = true;
  } else if (text_is_of_launch && !allocations.is_checked) { // where it is, the fault is what was asked for
    last_error_text[0] = 0;
  }
  return error;
}

// Runs `body()` for every thread of the grid; the stream is not looked at.
template <class F>
cudaError_t launch(dim3 grid, dim3 block, std::size_t shared, cudaStream_t stream, F &&body) {
  (void)stream;
  using Body = std::remove_reference_t<F>;
  void *object = const_cast<void *>(static_cast<const void *>(std::addressof(body)));
#if defined(CLADPY_HOST_FIBERS)
  const auto call = [](void *b) { (*static_cast<Body *>(b))(); };
#else
  void (*const call)(void *) = &turn_of<std::remove_const_t<Body>>;
#endif
  return launch_called(grid, block, shared, call, object);
}

#if !defined(CLADPY_HOST_FIBERS)
// The same where `body()` is for all threads of a block (phases.h).
template <class F> cudaError_t launch_phases(dim3 grid, dim3 block, std::size_t shared, cudaStream_t stream, F &&body) {
  (void)stream;
  void *object = const_cast<void *>(static_cast<const void *>(std::addressof(body)));
  return launch_called(grid, block, shared, &block_of<std::remove_const_t<std::remove_reference_t<F>>>, object);
}
#endif

// How many blocks run those of the original, where a gradient lets them run several one after the other. Where races are
// looked for each runs one: what a thread does later is ordered behind what it did before. So it is over workers, whose sums
// go on from block to block anyway.
inline dim3 standing_blocks(dim3 grid) {
  const unsigned long long blocks = 1ULL * grid.x * grid.y * grid.z;
#if !defined(CLADPY_HOST_FIBERS)
  (void)blocks;
  return grid;
#elif defined(CLADPY_CHECK_RACES)
  return dim3(static_cast<unsigned>(blocks));
#else
  return dim3(static_cast<unsigned>((blocks + 1) / 2));
#endif
}

// Whether blocks have sums of their own in shared memory, as on a GPU.
#if defined(CLADPY_HOST_FIBERS)
constexpr bool stages = true;
#else
constexpr bool stages = false;
#endif

// The arguments of a launch whose kernel is not known by a name, and where it runs.
template <class... Given>
struct launch_arguments {
  dim3 grid, block;
  std::size_t shared;
  cudaStream_t stream;
  std::tuple<Given...> given;
};
template <class... Parameters, class... Given>
void operator->*(void (*kernel)(Parameters...), launch_arguments<Given...> at) {
  (void)launch(at.grid, at.block, at.shared, at.stream, [&] { std::apply(kernel, at.given); });
}

} // namespace host
} // namespace cladpy

// Launches in the user's text are written by names of one word, which no macro of the user's is. The configuration may
// stand in one.
template <class F>
cudaError_t cladpy_host_launch(F &&body, dim3 grid, dim3 block, std::size_t shared = 0, cudaStream_t stream = nullptr) {
  return cladpy::host::launch(grid, block, shared, stream, body);
}

// What is launched by an expression: `expression->*cladpy_host_at(grid, block)(arguments)`.
struct cladpy_host_at {
  dim3 grid, block;
  std::size_t shared;
  cudaStream_t stream;
  cladpy_host_at(dim3 grid, dim3 block, std::size_t shared = 0, cudaStream_t stream = nullptr)
      : grid(grid), block(block), shared(shared), stream(stream) {}
  template <class... Given>
  cladpy::host::launch_arguments<std::decay_t<Given>...> operator()(Given &&...given) const {
    return {grid, block, shared, stream, std::tuple<std::decay_t<Given>...>(std::forward<Given>(given)...)};
  }
};

// Stands for what a compiler for the host does not take, in functions that nobody has asked for.
[[noreturn]] inline void cladpy_host_left_out() {
  throw std::logic_error("this function uses what the host backend does not have: it is compiled for a device only");
}

// A launch in a macro: `body` is given the arguments, which are evaluated once.
template <class F, class... Given>
cudaError_t cladpy_host_launch_with(const cladpy_host_at &at, F &&body, Given &&...given) {
  return cladpy::host::launch(at.grid, at.block, at.shared, at.stream, [&] { body(given...); });
}

extern "C" {
// The text of the last failure, empty if all went well since.
__attribute__((used, visibility("default"))) inline const char *cladpy_host_error() {
  return cladpy::host::last_error_text;
}
}

#endif
