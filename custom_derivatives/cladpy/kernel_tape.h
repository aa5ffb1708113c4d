// What the split form of a kernel's gradient keeps: copies of memory, made and given back in the order of streams.
#pragma once

#include <cstddef>

#include "program.h"
#include "tape.h"

namespace cladpy {

class kernel_tape : public tape {
 protected:
  explicit kernel_tape(runtime_stream_t stream) : _made_on(stream) {}
  ~kernel_tape() { (void)release(_made_on); }

  // A copy, or null where there is nothing to copy, or `failed` says that it failed.
  template <class T>
  T *keep(T *memory, std::size_t count, runtime_error_t &failed) {
    void *copy = nullptr;
    if (!memory || !count || failed != CLADPY_RUNTIME(Success)) return nullptr;
    failed = CLADPY_RUNTIME(MallocAsync)(&copy, count * sizeof(T), _made_on);
    if (failed != CLADPY_RUNTIME(Success)) return nullptr;
    _copies.push_back(copy);
    failed = CLADPY_RUNTIME(MemcpyAsync)(copy, memory, count * sizeof(T), CLADPY_RUNTIME(MemcpyDefault), _made_on);
    return static_cast<T *>(copy);
  }

  // The stream goes on after what has been enqueued on that of the forward half.
  runtime_error_t follow(runtime_stream_t stream) const {
    if (stream == _made_on) return CLADPY_RUNTIME(Success);
    CLADPY_RUNTIME(Event_t) event = nullptr;
    runtime_error_t failed = CLADPY_RUNTIME(EventCreateWithFlags)(&event, CLADPY_RUNTIME(EventDisableTiming));
    if (failed != CLADPY_RUNTIME(Success)) return failed;
    failed = CLADPY_RUNTIME(EventRecord)(event, _made_on);
    if (failed == CLADPY_RUNTIME(Success)) failed = CLADPY_RUNTIME(StreamWaitEvent)(stream, event, 0);
    (void)CLADPY_RUNTIME(EventDestroy)(event);
    return failed;
  }

  runtime_error_t release(runtime_stream_t stream) {
    runtime_error_t failed = CLADPY_RUNTIME(Success);
    for (void *copy : _copies) {
      const runtime_error_t freed = CLADPY_RUNTIME(FreeAsync)(copy, stream);
      if (failed == CLADPY_RUNTIME(Success)) failed = freed;
    }
    _copies.clear();
    return failed;
  }

 private:
  runtime_stream_t _made_on;
  std::vector<void *> _copies;
};

}  // namespace cladpy
