// How the gradient of a kernel is launched on a GPU: compiled for which size of blocks, on how many of them, and with what
// memory for its tape. Emitted launch functions name the kernel and leave the rest to this.
#pragma once

#include <cstddef>

#include <cladpy/support.h>

#ifdef __CUDACC_RTC__
// NVRTC has nothing of the host's: cladpy/runtime/module.py launches what it compiles.
#elif defined(CLADPY_HOST_H)
#include <cladpy/host/launched_elsewhere.h>
#else

#include <cladpy/runtime_api.h>

namespace cladpy {

// Dynamic shared memory beyond what every kernel may have has to be asked for.
template <class... P>
runtime_error_t allow_shared(void (*kernel)(P...), size_t bytes) {
  return CLADPY_RUNTIME(FuncSetAttribute)(reinterpret_cast<const void *>(kernel),
                                          CLADPY_RUNTIME(FuncAttributeMaxDynamicSharedMemorySize), static_cast<int>(bytes));
}

// What a kernel is launched with. Of the shared memory, so much may be had without asking for it.
struct launch {
  dim3 grid, block;
  size_t shared_mem;
  runtime_stream_t stream;
  size_t unasked = static_cast<size_t>(-1);

  unsigned threads() const { return block.x * block.y * block.z; }
  launch_state state() const { return {grid, nullptr, 1ULL * grid.x * grid.y * grid.z, 0}; }
};

inline runtime_error_t attribute_of_device(int *value, bool of_shared_memory) {
  int device = 0;
  const runtime_error_t error = CLADPY_RUNTIME(GetDevice)(&device);
  if (error != CLADPY_RUNTIME(Success)) return error;
#ifdef CLADPY_ON_HIP
  return hipDeviceGetAttribute(value, of_shared_memory ? hipDeviceAttributeMaxSharedMemoryPerBlock : hipDeviceAttributeMultiprocessorCount, device);
#else
  return cudaDeviceGetAttribute(value, of_shared_memory ? cudaDevAttrMaxSharedMemoryPerBlockOptin : cudaDevAttrMultiProcessorCount, device);
#endif
}

// Pullbacks that call themselves take more than the 1 KiB of stack that a thread has otherwise. HIP has no such limit.
inline runtime_error_t deepen_stack() {
#ifndef CLADPY_ON_HIP
  constexpr size_t wanted = 16 * 1024;
  size_t now = 0;
  const cudaError_t error = cudaDeviceGetLimit(&now, cudaLimitStackSize);
  if (error != cudaSuccess) return error;
  if (now < wanted) return cudaDeviceSetLimit(cudaLimitStackSize, wanted);
#endif
  return CLADPY_RUNTIME(Success);
}

// As many blocks of a kernel as can be resident at once, and no more than there are.
struct residency {
  unsigned each = 1, processors = 1;  // of a processor, and these
  unsigned blocks = 1;

  template <class... P>
  runtime_error_t ask(void (*kernel)(P...), const launch &at) {
    int count = 0, most = 0;
    runtime_error_t error = attribute_of_device(&count, false);
    if (error == CLADPY_RUNTIME(Success))
      error = CLADPY_RUNTIME(OccupancyMaxActiveBlocksPerMultiprocessor)(&most, kernel, static_cast<int>(at.threads()), at.shared_mem);
    if (error != CLADPY_RUNTIME(Success)) return error;
    each = static_cast<unsigned>(most > 0 ? most : 1);
    processors = static_cast<unsigned>(count);
    const unsigned long long there = at.state().blocks;
    blocks = static_cast<unsigned>(there < all() ? there : all());
    return error;
  }
  unsigned long long all() const { return 1ULL * each * processors; }
};

// How many slots of tape a thread needs at most, and the workspace that has them.
class slot_count {
 public:
  slot_count(const launch &launched, launch_state original, dim3 running, unsigned long long how_many, unsigned slot, bool fewer_will_do)
      : at(launched), state(original), physical(running), blocks(how_many), slot_(slot), fewer_will_do_(fewer_will_do) {}

  // The launch itself tells.
  runtime_error_t know(unsigned long long slots) {
    found_[0] = slots;
    return CLADPY_RUNTIME(Success);
  }

  // A counting kernel, whose last parameter is where it leaves what it finds.
  template <class... P, class... A>
  runtime_error_t ask(void (*kernel)(P...), const launch &on, const A &...given) {
    return counted(kernel, on, [&](unsigned long long *counts) {
      kernel<<<on.grid, on.block, on.shared_mem, on.stream>>>(given..., counts);
      return last_error();
    });
  }

  // One that stores, and puts that back from a log in the workspace, which is made larger until all finds room.
  template <class... P, class... A>
  runtime_error_t ask_with_log(void (*kernel)(P...), const launch &on, const A &...given) {
    return counted(kernel, on, [&](unsigned long long *counts) {
      for (unsigned long long entries = 32;; entries *= 4) {
        runtime_error_t error = reserve(3 * entries);
        if (error != CLADPY_RUNTIME(Success)) return error;
        error = CLADPY_RUNTIME(MemsetAsync)(counts, 0, sizeof found_, on.stream);
        if (error == CLADPY_RUNTIME(Success)) {
          kernel<<<physical, on.block, on.shared_mem, on.stream>>>(given..., state, counts, counts + 1);
          error = last_error();
        }
        if (error == CLADPY_RUNTIME(Success)) error = fetch(counts, on.stream);
        const runtime_error_t released = release();
        if (error == CLADPY_RUNTIME(Success)) error = released;
        if (error != CLADPY_RUNTIME(Success) || !found_[1]) return error;
      }
    });
  }

  // A workspace of so many slots for each thread; for as many blocks at a time as there is memory for, where fewer will do.
  runtime_error_t reserve(unsigned long long slots) {
    state.slots = slots ? slots : 1;
    for (;;) {
      const runtime_error_t error = CLADPY_RUNTIME(MallocAsync)(reinterpret_cast<void **>(&state.workspace),
                                                                state.slots * slot_ * at.threads() * blocks, at.stream);
      if (error != CLADPY_RUNTIME(ErrorMemoryAllocation) || !fewer_will_do_ || blocks <= 1) return error;
      (void)last_error();
      blocks /= 2;
      physical = dim3(static_cast<unsigned>(blocks));
    }
  }
  runtime_error_t release() const { return CLADPY_RUNTIME(FreeAsync)(state.workspace, at.stream); }

  unsigned long long most() const { return found_[0]; }

  const launch &at;
  launch_state state;
  dim3 physical;              // blocks that run those of the original
  unsigned long long blocks;  // how many these are

 private:
  template <class... P, class F>
  runtime_error_t counted(void (*kernel)(P...), const launch &on, const F &run) {
    runtime_error_t error = CLADPY_RUNTIME(Success);
    if (on.shared_mem > on.unasked) error = allow_shared(kernel, on.shared_mem);
    unsigned long long *counts = nullptr;
    if (error == CLADPY_RUNTIME(Success)) error = CLADPY_RUNTIME(MallocAsync)(reinterpret_cast<void **>(&counts), sizeof found_, on.stream);
    if (error != CLADPY_RUNTIME(Success)) return error;
    error = CLADPY_RUNTIME(MemsetAsync)(counts, 0, sizeof found_, on.stream);
    if (error == CLADPY_RUNTIME(Success)) error = run(counts);
    if (error == CLADPY_RUNTIME(Success)) error = fetch(counts, on.stream);
    const runtime_error_t released = CLADPY_RUNTIME(FreeAsync)(counts, on.stream);
    return error != CLADPY_RUNTIME(Success) ? error : released;
  }
  runtime_error_t fetch(const unsigned long long *counts, runtime_stream_t stream) {
    const runtime_error_t error = CLADPY_RUNTIME(MemcpyAsync)(found_, counts, sizeof found_, CLADPY_RUNTIME(MemcpyDeviceToHost), stream);
    return error != CLADPY_RUNTIME(Success) ? error : CLADPY_RUNTIME(StreamSynchronize)(stream);
  }

  unsigned slot_;  // bytes
  bool fewer_will_do_;
  unsigned long long found_[2] = {0, 0};  // the most slots of a thread, and whether a log was full
};

// Sums of a block's own, in shared memory behind what the gradient takes.
struct stages_of_block {
  bool by_lanes;    // whether lanes of a warp can divide a copy among themselves
  size_t declared;  // shared memory that the kernel declares itself
};

// A kernel. One that may want many registers is compiled for several sizes of blocks, each the largest of its own.
template <class Signature, unsigned... sizes>
struct kernel;
template <class... P, unsigned... sizes>
struct kernel<void(P...), sizes...> {
  typedef void (*pointer)(P...);
  static constexpr int last = sizeof...(sizes) ? static_cast<int>(sizeof...(sizes)) - 1 : 0;
  pointer compiled[last + 1];

  pointer for_blocks_of(unsigned threads) const {
    constexpr unsigned largest[] = {sizes..., 0};
    for (int k = 0; k < last; ++k)
      if (threads <= largest[k]) return compiled[k];
    return compiled[last];
  }

  // On the grid of the original.
  template <class... A>
  runtime_error_t run(const launch &at, const A &...given) const {
    const pointer chosen = for_blocks_of(at.threads());
    const runtime_error_t error = allow(chosen, at);
    if (error != CLADPY_RUNTIME(Success)) return error;
    chosen<<<at.grid, at.block, at.shared_mem, at.stream>>>(given...);
    return last_error();
  }

  // On the blocks that are resident, each of which runs several of the original.
  template <class... A>
  runtime_error_t run_resident(const launch &at, const A &...given) const {
    const pointer chosen = for_blocks_of(at.threads());
    residency resident;
    const runtime_error_t error = resident_on(chosen, at, resident);
    if (error != CLADPY_RUNTIME(Success)) return error;
    chosen<<<resident.blocks, at.block, at.shared_mem, at.stream>>>(given..., at.state());
    return last_error();
  }

  // The same with sums of a block's own, of which so many copies take `bytes`, where blocks run several of the original
  // and most of them are still resident.
  template <class Bytes, class... A>
  runtime_error_t run_staged(const launch &at, const stages_of_block &stages, const Bytes &bytes, const A &...given) const {
    const pointer chosen = for_blocks_of(at.threads());
    residency resident;
    runtime_error_t error = resident_on(chosen, at, resident);
    launch_state state = at.state();
    state.staging_at = static_cast<unsigned>((at.shared_mem + 15) / 16 * 16);
    const auto give = [&](unsigned long long copies) {
      if (error == CLADPY_RUNTIME(Success) && !state.staging) error = stage(chosen, at, stages, bytes(copies), state, resident);
    };
    if (state.blocks > resident.all()) {
      if (stages.by_lanes && at.block.x % 32 == 0) {  // lanes are at neighbouring elements then
        give(at.threads() / 32);
        state.of_warps = state.staging != 0;
      }
      give(1);
    }
    if (error != CLADPY_RUNTIME(Success)) return error;
    chosen<<<resident.blocks, at.block, state.staging_at + state.staging, at.stream>>>(given..., state);
    return last_error();
  }

  // With a workspace for the tapes, whose slots have so many bytes. `count` says how many slots a thread needs; on the
  // `whole_grid` each block of the original is one of the gradient's.
  template <class Count, class... A>
  runtime_error_t run_taped(const launch &at, unsigned slot, bool whole_grid, const Count &count, const A &...given) const {
    const pointer chosen = for_blocks_of(at.threads());
    residency resident;
    runtime_error_t error = whole_grid ? allow(chosen, at) : resident_on(chosen, at, resident);
    if (error != CLADPY_RUNTIME(Success)) return error;
    const launch_state state = at.state();
    slot_count tape(at, state, whole_grid ? at.grid : dim3(resident.blocks), whole_grid ? state.blocks : resident.blocks, slot, !whole_grid);
    error = count(tape);
    if (error == CLADPY_RUNTIME(Success)) error = tape.reserve(tape.most());
    if (error != CLADPY_RUNTIME(Success)) return error;
    chosen<<<tape.physical, at.block, at.shared_mem, at.stream>>>(given..., tape.state);
    error = last_error();
    const runtime_error_t released = tape.release();
    return error != CLADPY_RUNTIME(Success) ? error : released;
  }

 private:
  static runtime_error_t allow(pointer chosen, const launch &at) {
    return at.shared_mem > at.unasked ? allow_shared(chosen, at.shared_mem) : CLADPY_RUNTIME(Success);
  }
  static runtime_error_t resident_on(pointer chosen, const launch &at, residency &resident) {
    const runtime_error_t error = allow(chosen, at);
    return error != CLADPY_RUNTIME(Success) ? error : resident.ask(chosen, at);
  }
  static runtime_error_t stage(pointer chosen, const launch &at, const stages_of_block &stages, unsigned long long staging, launch_state &state, residency &resident) {
    const size_t all = state.staging_at + static_cast<size_t>(staging);
    if (stages.by_lanes) {
      int most = 0;
      runtime_error_t error = attribute_of_device(&most, true);
      if (error != CLADPY_RUNTIME(Success) || all + stages.declared > static_cast<unsigned>(most)) return error;
      if (all > at.unasked) error = allow_shared(chosen, all);
      if (error != CLADPY_RUNTIME(Success)) return error;
    } else if (all > at.unasked) {
      return CLADPY_RUNTIME(Success);
    }
    int with_sums = 0;
    const runtime_error_t error = CLADPY_RUNTIME(OccupancyMaxActiveBlocksPerMultiprocessor)(&with_sums, chosen, static_cast<int>(at.threads()), all);
    if (error == CLADPY_RUNTIME(Success) && 2 * static_cast<unsigned>(with_sums) >= resident.each) {
      state.staging = static_cast<unsigned>(staging);
      resident.blocks = static_cast<unsigned>(with_sums) * resident.processors;
    }
    return error;
  }
};

} // namespace cladpy

#endif  // CLADPY_HOST_H
