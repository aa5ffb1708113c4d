// The state of a differentiated host program: the memory that it allocates, with adjoints; what its steps have
// overwritten, so that the reverse sweep finds memory as it was; and errors, which are thrown as `cladpy::program_error`.
// Whatever way a gradient is left, all of this is released.
#pragma once

#include <cstdlib>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <cladpy/replays.h>
#include <cladpy/runtime_api.h>

#include <cladpy/device_memory.h>
#include <cladpy/members.h>

namespace cladpy {

// A call of the runtime, or a launch, that failed in a gradient.
struct program_error : std::runtime_error {
  program_error(runtime_error_t failed, const std::string &what, const std::string &more = {})
      : std::runtime_error(what + ": " + (more.empty() ? CLADPY_RUNTIME(GetErrorString)(failed) : more)), error(failed) {}
  explicit program_error(const std::string &what) : std::runtime_error(what), error(CLADPY_RUNTIME(ErrorInvalidValue)) {}

  runtime_error_t error;
};

// What must be kept is more than the budget that the gradient was given.
struct budget_error : program_error {
  budget_error(const std::string &what, std::size_t bytes) : program_error(what), needed(bytes) {}

  std::size_t needed;
};

#ifdef CLADPY_HOST_H
inline const bool has_variables_of_threads = (host::nothing_else = false);
#endif

// Memory of the caller's whose size is known: of other memory, the driver knows the size of a device's allocations.
inline std::map<const char *, std::size_t> &known_ranges() {
  static thread_local std::map<const char *, std::size_t> ranges;
  return ranges;
}
// What was said before of memory that this is a part of, or that is a part of this, holds no longer.
inline void forget_range(const void *memory, std::size_t bytes = 1) {
  std::map<const char *, std::size_t> &known = known_ranges();
  const char *const first = static_cast<const char *>(memory);
  for (auto next = known.lower_bound(first + bytes); next != known.begin();) {
    --next;
    if (next->first + next->second <= first) break;
    next = known.erase(next);
  }
}
inline void declare_range(const void *memory, std::size_t bytes) {
  if (!memory || !bytes) return;
  forget_range(memory, bytes);
  known_ranges()[static_cast<const char *>(memory)] = bytes;
}

// What the last gradient of this thread kept at most: copies of what was overwritten, in bytes; and how many steps it made again,
// because there was no room for more.
struct program_report {
  std::size_t on_device, on_host, total, repeated;
};
inline program_report &last_report() {
  static thread_local program_report report = {0, 0, 0, 0};
  return report;
}

// What a kernel has kept for the reverse sweep, if it has: of each type so many numbers per thread, those of all threads one after
// the other.
struct kept_values {
  void *memory;
  std::size_t threads, bytes;

  explicit operator bool() const { return memory != nullptr; }
  // Where the numbers begin that others of so many bytes per thread come before.
  template <class T>
  T *at(std::size_t before) const {
    return reinterpret_cast<T *>(static_cast<char *>(memory) + before * threads);
  }
};
inline std::size_t threads_of(dim3 grid, dim3 block) {
  return std::size_t(grid.x) * grid.y * grid.z * block.x * block.y * block.z;
}

#ifndef CLADPY_HOST_H
template <class T>
__global__ void add_and_clear(T *to, T *from, std::size_t count) {
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < count; i += std::size_t(gridDim.x) * blockDim.x) {
    to[i] += from[i];
    from[i] = T(0);
  }
}
#endif

class program {
 public:
  // `waits` says that host code and kernels work on the same memory, or on streams: then launches are waited for. With a
  // budget no more bytes of copies are kept at a time.
  explicit program(bool waits = false, std::size_t budget = 0) : waits_(waits), replays_(*this, budget), budget_(budget) {
    last_report() = {0, 0, 0, 0};
  }
  program(const program &) = delete;
  program &operator=(const program &) = delete;
  ~program() {
    for (auto &entry : memory_) free_memory(entry.first, entry.second);
    for (auto &entry : callers_)
      if (entry.second.adjoint && !entry.second.foreign) free_one(entry.second.where, entry.second.adjoint);
    replays_.clear();
    for (group &g : groups_) drop(g);
    for (reader &r : readers_)
      if (r.values) device_memory::give(r.values.memory);
    for (auto &blocks : blocks_)
      for (void *block : blocks.second) device_memory::give(block);
    device_memory::rest();
  }

  // ---- memory ----

  template <class T>
  T *device(std::size_t bytes) {
    return static_cast<T *>(acquire(side::device, bytes));
  }
  template <class T>
  T *managed(std::size_t bytes) {
    return static_cast<T *>(acquire(side::managed, bytes));
  }
  template <class T>
  T *pinned(std::size_t bytes) {
    return static_cast<T *>(acquire(side::pinned, bytes));
  }
  template <class T>
  T *host(std::size_t bytes, bool zeroed = false) {
    void *memory = acquire(side::host, bytes);
    if (zeroed && memory) std::memset(memory, 0, bytes);
    return static_cast<T *>(memory);
  }

  // Where a variable of the device's lies. Its adjoint is that of the caller's, if there is one.
  template <class T, class V>
  T *variable(V &symbol, std::size_t bytes, void *adjoint = nullptr) {
    void *address = nullptr;
#if defined(__HIPCC__) && !defined(CLADPY_HOST_H)
    check(hipGetSymbolAddress(&address, HIP_SYMBOL(symbol)), "a variable of the device");
#else
    check(cudaGetSymbolAddress(&address, symbol), "a variable of the device");
#endif
    allocation *a = callers(static_cast<char *>(address), bytes);
    if (adjoint) a->adjoint = adjoint;
    a->foreign = adjoint != nullptr;
    return static_cast<T *>(address);
  }

  // Where the caller's adjoints lie, which no step overwrites.
  void leave(std::initializer_list<const void *> adjoints) { alone_ = adjoints; }

  // The adjoint of an allocation: zero at first, and the same for all who ask.
  template <class A, class T>
  A *adjoint(T *memory) {
    if (!memory) return nullptr;
    allocation *a = find(memory);
    if (!a) throw program_error("the adjoint of memory of which the size is not known: tell it with cladpy::declare_range(pointer, bytes)");
    T *const base = reinterpret_cast<T *>(found_);
    if (a->guessed && sizeof(A) != sizeof(T))  // in one block there may be memory of several types, and there is one adjoint
      throw program_error("the adjoint of memory of which the size is not known: tell it with cladpy::declare_range(pointer, bytes)");
    if (!a->adjoint) {
      const std::size_t bytes = a->bytes / sizeof(T) * sizeof(A);
      a->adjoint = allocate(a->where, bytes, "the adjoint of an allocation");
      zero(a->adjoint, bytes);
    }
    return static_cast<A *>(a->adjoint) + (memory - base);
  }

  // Memory of the program's own in place of the caller's, with the same content: `deliver` copies what it holds to the
  // caller's. All who ask for a part of the caller's memory get that part; `count` numbers, where that is known.
  template <class T>
  T *stand_in(T *memory, std::size_t count = 0) {
    if (!memory) return nullptr;
    char *base = reinterpret_cast<char *>(memory);
    for (const replaced &r : replaced_)
      if (base >= r.callers && base < r.callers + r.bytes) return reinterpret_cast<T *>(r.own + (base - r.callers));
    const char *const at = base;
    const std::size_t bytes = count ? count * sizeof(T) : extent(memory, base);
    const side where = side_of(base);
    char *const own = static_cast<char *>(allocate(where, bytes, "a copy of what the function overwrites"));
    memory_[own] = {where, bytes, nullptr, true, false, false, false, {}};
    replaced_.push_back({base, own, bytes});
    move(own, base, bytes, nullptr, "a copy of what the function overwrites");
    return reinterpret_cast<T *>(own + (at - base));
  }
  void deliver() {
    for (const replaced &r : replaced_) move(r.callers, r.own, r.bytes, nullptr, "a copy of a result");
  }

  template <class T>
  void release(T *memory) {
    const auto found = memory_.find(reinterpret_cast<char *>(memory));
    if (found == memory_.end()) return;
    free_memory(found->first, found->second);
    memory_.erase(found);
  }

  template <class T>
  void keep(T *memory) {
    kept_.push_back(memory);
  }
  template <class T>
  T *recall() {
    void *memory = kept_.back();
    kept_.pop_back();
    return static_cast<T *>(memory);
  }

  // ---- what is overwritten ----

  // A pullback will compute with what memory holds now: who overwrites it saves it.
  void will_read(std::initializer_list<const void *> pointers) {
    for (const void *pointer : pointers)
      if (allocation *a = find(pointer)) a->needed = true;
  }

  // The same of a launch; or the pullback computes with numbers, so many bytes of them per thread, which `keep` makes of that memory:
  // who overwrites it has these kept, where they take less room than a copy of what is overwritten.
  void may_keep(const char *kernel, std::initializer_list<const void *> pointers, std::size_t threads, std::size_t bytes,
                std::function<runtime_error_t(const kept_values &)> keep) {
    std::vector<allocation *> read;
    bool known = threads != 0;
    for (const void *pointer : pointers) {
      allocation *a = pointer ? find(pointer) : nullptr;
      if (a) read.push_back(a);
      known = known && (!pointer || (a && !a->guessed));
    }
    readers_.push_back({kernel, {nullptr, threads, threads * bytes}, nullptr, !known, false});
    if (known) readers_.back().keep = keep;
    for (allocation *a : read)
      if (known)
        a->readers.push_back(readers_.size() - 1);
      else
        a->needed = true;
  }
  // Whether the last launch that may have kept values has.
  bool keeps() const { return static_cast<bool>(readers_.back().values); }
  // What the last launch that may have kept values has kept: they are there until they are dropped.
  kept_values kept() {
    const kept_values values = readers_.back().values;
    if (!values) readers_.pop_back();
    return values;
  }
  void drop(const kept_values &values) {
    give_block(values.memory, values.bytes);
    device_bytes_ -= values.bytes;
    readers_.pop_back();
  }

  // A kernel may overwrite all of the memory that these pointers lead to. It cannot be launched again.
  void save(std::initializer_list<const void *> pointers, runtime_stream_t stream = nullptr) {
    const std::vector<memory_rows> writes = whole(pointers);
    if (budget_) {
      replays_.add(stream, true).writes = writes;
      replays_.part();
      replays_.before();
      replays_.made();
      return;
    }
    settle(writes);
    groups_.emplace_back();
    for (const memory_rows &w : writes) save_rows(groups_.back(), w, stream);
  }
  // The same, of a kernel that can.
  template <class Launch>
  void run(const char *kernel, std::initializer_list<const void *> pointers, runtime_stream_t stream, Launch launch) {
    step(whole(pointers), stream, [this, kernel, launch] { check(launch(), kernel); });
  }

  // What the next step is given there is memory that host code stores to, and no kernel sees: it holds something else when a step
  // is made again.
  void by_host(std::initializer_list<const void *> pointers) { by_host_ = pointers; }
  // Host code has stored to memory that steps may see.
  void stored() {
    if (budget_) replays_.part();
  }

  // What a kernel writes, the first `written` of these, must be in other allocations than all else that it is given: its
  // gradient counts on that. Only what has been chosen at run time is looked at.
  void apart(const char *kernel, std::size_t written, std::initializer_list<const void *> pointers) {
    std::vector<const char *> seen;
    for (const void *pointer : pointers) {
      const allocation *a = pointer ? find(pointer) : nullptr;
      const char *place = !a ? nullptr : a->guessed ? static_cast<const char *>(pointer) : found_;
      if (!place) {
        seen.push_back(nullptr);
        continue;
      }
      for (std::size_t i = 0; i < seen.size() && i < written; ++i)
        if (seen[i] == place)
          throw program_error(std::string(kernel) + " is given the same memory twice, as it has been chosen here: its gradient takes what it is given to be apart");
      seen.push_back(place);
    }
  }

  // How many numbers there are from a pointer on: a launch that sums in a fixed order is told.
  template <class T>
  unsigned long long numbers_from(const void *pointer) {
    if (!pointer) return 0;
    const allocation *a = find(pointer);
    if (!a) throw program_error("sums of which the number is not known: tell the size of the memory with cladpy::declare_range(pointer, bytes)");
    return (a->bytes - (static_cast<const char *>(pointer) - found_)) / sizeof(T);
  }

  // What a function with a derivative of its own writes, the first `written` of these, must not be given to it twice.
  void distinct(const char *function, std::size_t written, std::initializer_list<const void *> pointers) {
    const void *const *const first = pointers.begin();
    for (std::size_t i = 0; i < written; ++i)
      for (std::size_t j = i + 1; j < pointers.size(); ++j)
        if (first[i] && first[i] == first[j])
          throw program_error(std::string(function) + " is given the same memory twice, and writes it: its derivative takes what it is given to be apart");
  }

  // What the last step that has not been undone overwrote is put back.
  void restore() {
    if (budget_) return replays_.undo();
    while (!groups_.back().empty()) {
      kept_copy last = groups_.back().back();
      groups_.back().pop_back();
      put_back(last);
    }
    groups_.pop_back();
  }

  // ---- steps ----

  void copy(void *to, const void *from, std::size_t bytes, runtime_stream_t stream = nullptr) {
    if (!bytes) return nothing();
    const source given = held_for(to, from, bytes, bytes, 1);
    step({{static_cast<char *>(to), bytes, bytes, 1}}, stream,
         [this, to, given, bytes, stream] { move(to, given.memory, bytes, stream, "a copy"); }, given.bytes());
  }
  void copy_rows(void *to, std::size_t to_pitch, const void *from, std::size_t from_pitch, std::size_t width, std::size_t rows,
                 runtime_stream_t stream = nullptr) {
    if (!width || !rows) return nothing();
    const source given = held_for(to, from, width, from_pitch, rows);
    step({{static_cast<char *>(to), width, to_pitch, rows}}, stream,
         [this, to, to_pitch, given, width, rows, stream] {
           move_rows(to, to_pitch, given.memory, given.pitch, width, rows, stream, "a copy of rows");
           if (stream) check(CLADPY_RUNTIME(StreamSynchronize)(stream), "a copy of rows");
         },
         given.bytes());
  }
  void fill(void *memory, int byte, std::size_t bytes, runtime_stream_t stream = nullptr) {
    if (!bytes) return nothing();
    step({{static_cast<char *>(memory), bytes, bytes, 1}}, stream, [this, memory, byte, bytes] { set(memory, byte, bytes); });
  }
  void fill_rows(void *memory, std::size_t pitch, int byte, std::size_t width, std::size_t rows, runtime_stream_t stream = nullptr) {
    if (!width || !rows) return nothing();
    step({{static_cast<char *>(memory), width, pitch, rows}}, stream, [this, memory, pitch, byte, width, rows] {
      for (std::size_t i = 0; i < rows; ++i) set(static_cast<char *>(memory) + i * pitch, byte, width);
    });
  }
  // A number that the host cannot reach itself.
  template <class T>
  void fetch(T *number, const void *from, runtime_stream_t stream = nullptr) {
    move(number, from, sizeof *number, stream, "a copy of a number");
  }
  template <class T>
  void put(void *to, T number, runtime_stream_t stream = nullptr) {
    step({{static_cast<char *>(to), sizeof number, sizeof number, 1}}, stream,
         [this, to, number, stream] { move(to, &number, sizeof number, stream, "a copy of a number"); });
  }

  // ---- their pullbacks ----

  template <class T>
  void copy_pullback(void *to, void *from, std::size_t count, runtime_stream_t stream = nullptr) {
    copy_rows_pullback<T>(to, count, from, count, count, 1, stream);
  }
  template <class T>
  void copy_objects_pullback(void *to, void *from, std::size_t bytes, runtime_stream_t stream = nullptr) {
    if (bytes % sizeof(T)) throw program_error("a derivative passes through a copy of a part of an object");
    copy_pullback<T>(to, from, bytes / sizeof(T), stream);
  }
  // The pitches and the width count numbers.
  template <class T>
  void copy_rows_pullback(void *to, std::size_t to_pitch, void *from, std::size_t from_pitch, std::size_t width, std::size_t rows,
                          runtime_stream_t = nullptr) {
    T *d_to = static_cast<T *>(to), *d_from = static_cast<T *>(from);
    if (!width || !rows) return;
    if (to_pitch == width && from_pitch == width) {
      width *= rows;
      rows = 1;
    }
    const T *const to_end = d_to + (rows - 1) * to_pitch + width, *const from_end = d_from + (rows - 1) * from_pitch + width;
    if (d_to < from_end && d_from < to_end) return moved_pullback(d_to, to_pitch, d_from, from_pitch, width, rows);
    for (std::size_t i = 0; i < rows; ++i) add_cleared(d_from + i * from_pitch, d_to + i * to_pitch, width);
  }
  template <class T>
  void clear(void *memory, std::size_t count, runtime_stream_t = nullptr) {
    if (count) zero(memory, count * sizeof(T));
  }
  template <class T>
  void clear_rows(void *memory, std::size_t pitch, std::size_t width, std::size_t rows, runtime_stream_t = nullptr) {
    for (std::size_t i = 0; i < rows; ++i) clear<T>(static_cast<T *>(memory) + i * pitch, width);
  }
  template <class T, class X>
  void add(T *memory, X value, runtime_stream_t stream = nullptr) {
    T sum;
    move(&sum, memory, sizeof sum, stream, "a copy of an adjoint");
    sum += value;
    move(memory, &sum, sizeof sum, stream, "a copy of an adjoint");
  }
  template <class T>
  void take(T *number, T *memory, runtime_stream_t stream = nullptr) {
    move(number, memory, sizeof *number, stream, "a copy of an adjoint");
    zero(memory, sizeof *number);
  }

  // ---- adjoints that are renewed ----

  // Whether the pullback of a launch that comes next may replace the adjoints `read`, in place of adding to them, and leave
  // the cotangents `stored` as they are, in place of zeroing them: the last one took those of the same elements, which the
  // `key` tells, of the buffers that are `read` now. What it leaves is zero for everybody else, by `clear` if need be.
  void renews(bool *answer, bool possible, const char *kernel, std::initializer_list<long> key,
              std::initializer_list<const void *> read, std::initializer_list<const void *> stored,
              std::function<runtime_error_t()> clear) {
    const left_adjoints &last = left_;
    *answer = possible && last.kernel && !std::strcmp(last.kernel, kernel) && last.key == std::vector<long>(key) &&
              last.at == std::vector<const void *>(read);
    if (!*answer) settle_adjoints();
    left_ = left_adjoints();
    if (possible) left_ = {kernel, key, stored, std::move(clear), *answer};
  }
  // All adjoints are as they should be.
  void settle_adjoints() {
    const left_adjoints last = std::move(left_);
    left_ = left_adjoints();
    if (last.stale) check(last.clear(), last.kernel);
  }

  // ---- launches ----

  // Where a kernel adds to the adjoint of a number of the host's, or of several.
  template <class T>
  T *number(T *of, std::size_t count = 1) {
#ifdef CLADPY_HOST_H
    (void)count;
    return of;
#else
    void *memory = take_block(count * sizeof(T), "the adjoint of a number");
    numbers_.push_back({of, memory, count * sizeof(T)});
    move(memory, of, count * sizeof(T), nullptr, "the adjoint of a number");
    return static_cast<T *>(memory);
#endif
  }
  void collect() {
    for (const passed_number &n : numbers_) {
      move(n.host, n.device, n.bytes, nullptr, "the adjoint of a number");
      give_block(n.device, n.bytes);
    }
    numbers_.clear();
  }

#ifndef CLADPY_HOST_H
  // More dynamic shared memory than a kernel has without being asked.
  template <class Kernel>
  void allow(Kernel *kernel, std::size_t shared_mem) {
    if (shared_mem > 48 * 1024)
      check(CLADPY_RUNTIME(FuncSetAttribute)(reinterpret_cast<const void *>(kernel), CLADPY_RUNTIME(FuncAttributeMaxDynamicSharedMemorySize), static_cast<int>(shared_mem)),
            "asking for shared memory");
  }
#endif
  void launched(const char *kernel) { check(last_error(), kernel); }
  void check(runtime_error_t error, const char *what) {
    if (error == CLADPY_RUNTIME(Success) && waits_) error = CLADPY_RUNTIME(DeviceSynchronize)();
    if (error == CLADPY_RUNTIME(Success)) return;
#ifdef CLADPY_HOST_H
    // what the runtime of the host backend says beside the name of an error
    const std::string more = host::last_error == error ? host::last_error_text : "";
#else
    const std::string more;
#endif
    (void)CLADPY_RUNTIME(GetLastError)();
    // a launch that is not possible is the original's: its kernel is named, and not what runs that in reverse
    const std::string name(what);
    const bool of_launch = error == CLADPY_RUNTIME(ErrorInvalidConfiguration);
    throw program_error(error, of_launch ? name.substr(0, name.rfind("_pullback")) : name, more);
  }

 private:
  enum class side { host, device, pinned, managed };
  struct allocation {
    side where;
    std::size_t bytes;
    void *adjoint;
    bool needed;  // whether somebody will read what it holds
    bool fresh;  // whether nothing has been written there yet, which is known of what host code cannot reach
    bool guessed;  // whether its size is the driver's word, which is that of a whole pool
    bool foreign;  // whether its adjoint is the caller's
    std::vector<std::size_t> readers;  // launches whose pullbacks read what it holds, or compute with values that they keep
  };
  // A launch that may keep values, and those that it has kept.
  struct reader {
    const char *kernel;
    kept_values values;
    std::function<runtime_error_t(const kept_values &)> keep;  // as long as it may come to that
    bool stale;  // whether some of what it reads has been overwritten, or is not known
    bool chosen;
  };
  // The adjoints that the last launch has taken: they are zero, or `stale`.
  struct left_adjoints {
    const char *kernel;
    std::vector<long> key;
    std::vector<const void *> at;
    std::function<runtime_error_t()> clear;
    bool stale;
  };
  struct replaced {
    char *callers, *own;
    std::size_t bytes;
  };
  typedef std::vector<kept_copy> group;
  struct passed_number {
    void *host, *device;
    std::size_t bytes;
  };

  void *acquire(side where, std::size_t bytes) {
    void *memory = allocate(where, bytes, "an allocation");
    memory_[static_cast<char *>(memory)] = {where, bytes, nullptr, false, where == side::device, false, false, {}};
#ifndef CLADPY_HOST_H
    // what is saved as a whole may have been written in part
    if (where == side::device && bytes) check(CLADPY_RUNTIME(Memset)(memory, 0, bytes), "an allocation");
#endif
    return memory;
  }

  void *allocate(side where, std::size_t bytes, const char *what) {
    void *memory = nullptr;
    if (!bytes) bytes = 1;
    switch (where) {
      case side::device:
        check(device_memory::take(&memory, bytes), what);
        await_memory();
        break;
      case side::managed: check(CLADPY_RUNTIME(MallocManaged)(&memory, bytes), what); break;
#if defined(__HIPCC__) && !defined(CLADPY_HOST_H)
      case side::pinned: check(hipHostMalloc(&memory, bytes), what); break;
#else
      case side::pinned: check(cudaMallocHost(&memory, bytes), what); break;
#endif
      case side::host:
        memory = std::malloc(bytes);
        if (!memory) throw program_error(CLADPY_RUNTIME(ErrorMemoryAllocation), what);
        break;
    }
    return memory;
  }

  static void free_one(side where, void *memory) {
    switch (where) {
#if defined(__HIPCC__) && !defined(CLADPY_HOST_H)
      case side::pinned: (void)hipHostFree(memory); break;
#else
      case side::pinned: (void)cudaFreeHost(memory); break;
#endif
      case side::host: std::free(memory); break;
      case side::device: device_memory::give(memory); break;
      default: (void)CLADPY_RUNTIME(Free)(memory); break;
    }
  }
  // Memory is there in the order of the default stream.
  void await_memory() {
    if (waits_) (void)CLADPY_RUNTIME(StreamSynchronize)(nullptr);
  }
  static void free_memory(void *memory, allocation &a) {
    if (a.adjoint) free_one(a.where, a.adjoint);
    free_one(a.where, memory);
  }

  // Memory of one size is used again: a step of a loop saves as much as the one before.
  void *take_block(std::size_t bytes, const char *what) {
    std::vector<void *> &blocks = blocks_[bytes];
    void *block = nullptr;
    if (!blocks.empty()) {
      block = blocks.back();
      blocks.pop_back();
      idle_bytes_ -= bytes;
    } else if (what) {
      check(device_memory::take(&block, bytes), what);
      await_memory();
    } else if (device_memory::take(&block, bytes) != CLADPY_RUNTIME(Success)) {
      (void)CLADPY_RUNTIME(GetLastError)();
      block = nullptr;
    } else {
      await_memory();
    }
    return block;
  }
  void give_block(void *block, std::size_t bytes) {
    blocks_[bytes].push_back(block);
    idle_bytes_ += bytes;
  }

  // The allocation that a pointer leads into: of the program's own, or of the caller's, which is restored in the end.
  allocation *find(const void *pointer) {
    char *at = const_cast<char *>(static_cast<const char *>(pointer));
    for (auto *known : {&memory_, &callers_}) {
      auto next = known->upper_bound(at);
      if (next == known->begin()) continue;
      --next;
      if (at < next->first + (next->second.bytes ? next->second.bytes : 1)) {
        found_ = next->first;
        return &next->second;
      }
    }
    auto range = known_ranges().upper_bound(at);
    if (range != known_ranges().begin()) {
      --range;
      if (at < range->first + range->second) return callers(const_cast<char *>(range->first), range->second);
    }
    void *base = nullptr;
    std::size_t bytes = 0;
    return driver_range(at, base, bytes) ? callers(static_cast<char *>(base), bytes, true) : nullptr;
  }
  allocation *callers(char *base, std::size_t bytes, bool guessed = false) {
    found_ = base;
    const side where = on_device(base) ? side::device : side::host;
    return &callers_.emplace(base, allocation{where, bytes, nullptr, true, false, guessed, false, {}}).first->second;
  }

  static bool driver_range(void *pointer, void *&base, std::size_t &bytes) {
#if defined(CLADPY_HOST_H)
    host::Allocation known;
    if (!host::allocations.find(pointer, &known) || known.freed || !known.pages || known.kind == host::MemoryKind::pinned) return false;
    base = const_cast<char *>(known.first);
    bytes = known.bytes;
    return bytes != 0;
#elif defined(__HIPCC__)
    if (!on_device(pointer)) return false;
    return hipMemGetAddressRange(&base, &bytes, pointer) == hipSuccess;
#else
    if (!on_device(pointer)) return false;
    typedef int (*asked)(unsigned long long *, std::size_t *, unsigned long long);
    void *function = nullptr;
    cudaDriverEntryPointQueryResult known;
#if CUDART_VERSION >= 12050
    const cudaError_t failed = cudaGetDriverEntryPointByVersion("cuMemGetAddressRange", &function, 12000, cudaEnableDefault, &known);
#else
    const cudaError_t failed = cudaGetDriverEntryPoint("cuMemGetAddressRange", &function, cudaEnableDefault, &known);
#endif
    if (failed != cudaSuccess || !function) return false;
    unsigned long long start = 0;
    if (reinterpret_cast<asked>(function)(&start, &bytes, reinterpret_cast<unsigned long long>(pointer)) != 0) return false;
    base = reinterpret_cast<void *>(start);
    return true;
#endif
  }

  std::size_t extent(void *pointer, char *&base) {
    const allocation *a = find(pointer);
    if (!a)
      throw program_error("memory is written of which the size is not known: tell it with cladpy::declare_range(pointer, bytes)");
    base = found_;
    // a pool's block, or that of an allocator of the user's: what is put back there would be the adjoint, too
    for (const void *adjoint : alone_)
      if (a->guessed && adjoint >= base && adjoint < base + a->bytes)
        throw program_error("memory is written of which the size is not known, beside an adjoint in one block: tell it with cladpy::declare_range(pointer, bytes)");
    return a->bytes;
  }
  // All of the memory that some pointers lead to.
  std::vector<memory_rows> whole(std::initializer_list<const void *> pointers) {
    std::vector<memory_rows> found;
    for (const void *pointer : pointers) {
      if (!pointer) continue;
      char *base = nullptr;
      const std::size_t bytes = extent(const_cast<void *>(pointer), base);
      bool known = false;
      for (const memory_rows &r : found) known = known || r.memory == base;
      if (!known) found.push_back({base, bytes, bytes, 1});
    }
    return found;
  }

  // ---- what is overwritten: for `replays`, and for steps that are undone one by one ----

  typedef replays<program, runtime_stream_t> thinning;
  friend thinning;

  std::size_t held() const { return device_bytes_ + host_bytes_; }
  void repeated() { ++last_report().repeated; }
  void forget(std::size_t source_bytes) { host_bytes_ -= source_bytes; }
  bool is_fresh(const char *memory) {
    const allocation *a = find(memory);
    return a && a->fresh;
  }
  [[noreturn]] void refuse(std::size_t budget, std::size_t needed) const {
    throw budget_error("checkpoint: the budget is " + std::to_string(budget) + " bytes, but at least " + std::to_string(needed) +
                           " bytes of copies must be kept at a time",
                       needed);
  }

  void keep(group &to, const memory_rows &rows, runtime_stream_t stream) {
    if (!rows.size()) return;
    allocation *a = find(rows.memory);
    if (a && a->fresh) {
      a->fresh = false;
      to.push_back({rows, nullptr, false});
      return;
    }
    make_room(rows.size());
    void *copy = take_block(rows.size(), nullptr);
    const bool on_device = copy != nullptr;
    if (!copy) copy = std::malloc(rows.size());
    if (!copy) throw program_error(CLADPY_RUNTIME(ErrorMemoryAllocation), "keeping what is overwritten");
    to.push_back({rows, copy, on_device});
    hold(on_device, rows.size());
    move_rows(copy, rows.bytes, rows.memory, rows.pitch, rows.bytes, rows.rows, stream, "keeping what is overwritten");
  }
  // Memory that waits to be used again counts as well.
  void make_room(std::size_t bytes) {
    if (!budget_ || held() + idle_bytes_ + bytes <= budget_ || !blocks_[bytes].empty()) return;
    for (auto &blocks : blocks_)
      for (void *block : blocks.second) device_memory::give(block);
    blocks_.clear();
    idle_bytes_ = 0;
  }
  void put_back(kept_copy &kept) {
    const memory_rows &to = kept.of;
    if (!kept.copy) {
      if (allocation *a = find(to.memory)) a->fresh = true;
      return;
    }
    const runtime_error_t failed =
        CLADPY_RUNTIME(Memcpy2D)(to.memory, to.pitch, kept.copy, to.bytes, to.bytes, to.rows, CLADPY_RUNTIME(MemcpyDefault));
    drop(kept);
    check(failed, "putting back what was overwritten");
  }
  void drop(kept_copy &kept) {
    if (!kept.copy) return;
    if (kept.on_device) {
      give_block(kept.copy, kept.of.size());
      device_bytes_ -= kept.of.size();
    } else {
      std::free(kept.copy);
      host_bytes_ -= kept.of.size();
    }
  }
  void drop(group &g) {
    for (kept_copy &c : g) drop(c);
  }
  void hold(bool on_device, std::size_t bytes) {
    (on_device ? device_bytes_ : host_bytes_) += bytes;
    program_report &most = last_report();
    if (device_bytes_ > most.on_device) most.on_device = device_bytes_;
    if (host_bytes_ > most.on_host) most.on_host = host_bytes_;
    if (held() > most.total) most.total = held();
  }

  // Keeps what rows of memory hold, if anybody will read it.
  void save_rows(group &to, const memory_rows &rows, runtime_stream_t stream) {
    if (!is_needed(rows)) return;
    allocation *a = find(rows.memory);
    if (a) a->fresh = false;
    const char *base = found_;
    keep(to, rows, stream);
    if (a && rows.memory == base && rows.size() >= a->bytes) a->needed = false;
  }
  // Before a step overwrites memory: those who have read what it holds keep values, where that takes less room than copies; else
  // it is needed.
  void settle(const std::vector<memory_rows> &writes) {
    std::vector<std::size_t> keeping;
    std::size_t copies = 0, values = 0;
    for (const memory_rows &w : writes) {
      const allocation *a = find(w.memory);
      if (!a || a->needed || a->readers.empty() || !w.size()) continue;
      bool is_read = false, stale = false;
      for (std::size_t i : a->readers)
        if (!readers_[i].values.memory) {
          is_read = true;
          stale = stale || readers_[i].stale;
        }
      if (!is_read || stale) continue;
      copies += w.size();
      for (std::size_t i : a->readers) {
        if (readers_[i].values.memory || readers_[i].chosen) continue;
        readers_[i].chosen = true;
        keeping.push_back(i);
        values += readers_[i].values.bytes;
      }
    }
    for (std::size_t i : keeping) {
      readers_[i].chosen = false;
      if (values < copies) keep_values(readers_[i]);
    }
    for (const memory_rows &w : writes) {
      allocation *a = w.size() ? find(w.memory) : nullptr;
      if (!a) continue;
      for (std::size_t i : a->readers)
        if (!readers_[i].values.memory) a->needed = readers_[i].stale = true;
      a->readers.clear();
    }
  }
  // If there is room on the device.
  void keep_values(reader &r) {
    void *const block = take_block(r.values.bytes, nullptr);
    if (!block) return;
    r.values.memory = block;
    hold(true, r.values.bytes);
    check(r.keep(r.values), r.kernel);
    r.keep = nullptr;
  }
  bool is_needed(const memory_rows &rows) {
    const allocation *a = find(rows.memory);
    return (!a || a->needed) && rows.size();
  }

  // Makes a step, so that it can be undone. `source_bytes` are those of a copy that it needs to be made again.
  template <class Action>
  void step(const std::vector<memory_rows> &writes, runtime_stream_t stream, Action action, std::size_t source_bytes = 0) {
    if (!budget_) {
      settle(writes);
      groups_.emplace_back();
      for (const memory_rows &w : writes) save_rows(groups_.back(), w, stream);
      return action();
    }
    thinning::step &made = replays_.add(stream, false);
    const bool to_host = !writes.empty() && is_by_host(writes.front().memory);
    by_host_.clear();
    std::size_t own = source_bytes;
    for (const memory_rows &w : writes) own += to_host && is_needed(w) ? w.size() : 0;
    if (!to_host && !writes.empty()) {
      made.writes = writes;
      made.again = action;
    }
    replays_.before(own);
    if (source_bytes) hold(false, made.source_bytes = source_bytes);
    for (const memory_rows &w : writes)
      if (to_host) save_rows(made.own, w, stream);
    action();
    replays_.made();
  }
  void nothing() {
    step({}, nullptr, [] {});
  }
  bool is_by_host(const void *memory) const {
    for (const void *p : by_host_)
      if (p == memory) return true;
    return false;
  }

  // What a copy is made from: memory, or what the host had there at that time.
  struct source {
    const void *memory;
    std::size_t pitch;
    std::shared_ptr<std::vector<char>> held;

    std::size_t bytes() const { return held ? held->size() : 0; }
  };
  source held_for(const void *to, const void *from, std::size_t width, std::size_t pitch, std::size_t rows) {
    source given = {from, pitch, nullptr};
    if (!budget_ || !is_by_host(from) || is_by_host(to) || !width || !rows) return given;
    given.held = std::make_shared<std::vector<char>>(width * rows);
    move_rows(given.held->data(), width, from, pitch, width, rows, nullptr, "keeping what is copied");
    given.memory = given.held->data();
    given.pitch = width;
    return given;
  }

  void move_rows(void *to, std::size_t to_pitch, const void *from, std::size_t from_pitch, std::size_t width, std::size_t rows,
                 runtime_stream_t stream, const char *what) {
    #ifndef CLADPY_HOST_H
    if (stream)
      check(CLADPY_RUNTIME(Memcpy2DAsync)(to, to_pitch, from, from_pitch, width, rows, CLADPY_RUNTIME(MemcpyDefault), stream), what);
    else
#else
    (void)stream;
#endif
      check(CLADPY_RUNTIME(Memcpy2D)(to, to_pitch, from, from_pitch, width, rows, CLADPY_RUNTIME(MemcpyDefault)), what);
  }
  // Host memory may overlap: of the runtime's copies that is not said.
  void move(void *to, const void *from, std::size_t bytes, runtime_stream_t stream, const char *what) {
#ifndef CLADPY_HOST_H
    if (!on_device(to) && !on_device(from)) {
      check(CLADPY_RUNTIME(StreamSynchronize)(stream), what);
      std::memmove(to, from, bytes);
      return;
    }
#endif
    if (!stream) return check(CLADPY_RUNTIME(Memcpy)(to, from, bytes, CLADPY_RUNTIME(MemcpyDefault)), what);
    check(CLADPY_RUNTIME(MemcpyAsync)(to, from, bytes, CLADPY_RUNTIME(MemcpyDefault), stream), what);
    check(CLADPY_RUNTIME(StreamSynchronize)(stream), what);
  }

  // Whether a host function must leave memory to the device.
  static bool on_device(const void *memory) {
#ifdef CLADPY_HOST_H
    (void)memory;
    return false;
#else
#ifdef CLADPY_ON_HIP
    hipPointerAttribute_t attributes;
#else
    cudaPointerAttributes attributes;
#endif
    if (CLADPY_RUNTIME(PointerGetAttributes)(&attributes, memory) != CLADPY_RUNTIME(Success)) {
      (void)CLADPY_RUNTIME(GetLastError)();
      return false;
    }
#if defined(CLADPY_ON_HIP) && HIP_VERSION_MAJOR < 6
    return attributes.memoryType == hipMemoryTypeDevice;
#else
    return attributes.type == CLADPY_RUNTIME(MemoryTypeDevice);
#endif
#endif
  }
  // Where memory of the caller's lies.
  static side side_of(const void *memory) {
#ifdef CLADPY_HOST_H
    (void)memory;
    return side::host;
#else
#ifdef CLADPY_ON_HIP
    hipPointerAttribute_t attributes;
#else
    cudaPointerAttributes attributes;
#endif
    if (CLADPY_RUNTIME(PointerGetAttributes)(&attributes, memory) != CLADPY_RUNTIME(Success)) {
      (void)CLADPY_RUNTIME(GetLastError)();
      return side::host;
    }
#if defined(CLADPY_ON_HIP) && HIP_VERSION_MAJOR < 6
    const auto type = attributes.memoryType;
    if (attributes.isManaged) return side::managed;
#else
    const auto type = attributes.type;
    if (type == CLADPY_RUNTIME(MemoryTypeManaged)) return side::managed;
#endif
    return type == CLADPY_RUNTIME(MemoryTypeDevice) ? side::device : type == CLADPY_RUNTIME(MemoryTypeHost) ? side::pinned : side::host;
#endif
  }
  void set(void *memory, int byte, std::size_t bytes) {
    if (on_device(memory))
      check(CLADPY_RUNTIME(Memset)(memory, byte, bytes), "filling memory");
    else
      std::memset(memory, byte, bytes);
  }
  void zero(void *memory, std::size_t bytes) { set(memory, 0, bytes); }

  // The pullback of a move to memory that overlaps: all adjoints of the target are taken before any is added.
  template <class T>
  void moved_pullback(T *d_to, std::size_t to_pitch, T *d_from, std::size_t from_pitch, std::size_t width, std::size_t rows) {
    const std::size_t bytes = width * rows * sizeof(T);
    T *taken = static_cast<T *>(take_block(bytes, "the pullback of a copy"));
    move_rows(taken, width * sizeof(T), d_to, to_pitch * sizeof(T), width * sizeof(T), rows, nullptr, "the pullback of a copy");
    for (std::size_t i = 0; i < rows; ++i) zero(d_to + i * to_pitch, width * sizeof(T));
    for (std::size_t i = 0; i < rows; ++i) add_cleared(d_from + i * from_pitch, taken + i * width, width);
    give_block(taken, bytes);
  }

  // to += from; from = 0
  template <class T>
  void add_cleared(T *to, T *from, std::size_t count) {
#ifndef CLADPY_HOST_H
    const bool to_device = on_device(to), from_device = on_device(from);
    if (to_device && from_device) return add_on_device(to, from, count);
    if (to_device) {
      T *copy = static_cast<T *>(take_block(count * sizeof(T), "the pullback of a copy"));
      move(copy, from, count * sizeof(T), nullptr, "the pullback of a copy");
      std::memset(static_cast<void *>(from), 0, count * sizeof(T));
      add_on_device(to, copy, count);
      return give_block(copy, count * sizeof(T));
    }
    if (from_device) {
      std::vector<unsigned char> bytes(count * sizeof(T));
      move(bytes.data(), from, bytes.size(), nullptr, "the pullback of a copy");
      zero(from, bytes.size());
      for (std::size_t i = 0; i < count; ++i) {
        T number;
        std::memcpy(static_cast<void *>(&number), bytes.data() + i * sizeof(T), sizeof(T));
        to[i] += number;
      }
      return;
    }
#endif
    for (std::size_t i = 0; i < count; ++i) {
      to[i] += from[i];
      from[i] = T(0);
    }
  }
#ifndef CLADPY_HOST_H
  template <class T>
  void add_on_device(T *to, T *from, std::size_t count) {
    const std::size_t blocks = (count + 255) / 256;
    add_and_clear<T><<<static_cast<unsigned>(blocks < 4096 ? blocks : 4096), 256>>>(to, from, count);
    launched("the pullback of a copy");
  }
#endif

  bool waits_;
  std::vector<const void *> alone_;  // adjoints of the caller's
  std::map<char *, allocation> memory_, callers_;
  char *found_ = nullptr;  // where the allocation begins that was found last
  std::vector<replaced> replaced_;
  thinning replays_;
  std::size_t budget_;  // none: every step is undone by itself
  std::vector<const void *> by_host_;  // of the next step
  std::vector<group> groups_;
  std::vector<reader> readers_;
  left_adjoints left_ = left_adjoints();
  std::vector<void *> kept_;
  std::vector<passed_number> numbers_;
  std::map<std::size_t, std::vector<void *>> blocks_;
  std::size_t device_bytes_ = 0, host_bytes_ = 0, idle_bytes_ = 0;
};

// The adjoints of all that one call has allocated, by its number.
template <class A, class T>
class adjoints {
 public:
  adjoints(program &owner, std::vector<T *> &memory) : owner_(owner), memory_(memory) {}
  A *operator[](std::size_t number) const {
    if (known_.size() <= number) known_.resize(memory_.size() > number ? memory_.size() : number + 1);
    if (!known_[number]) known_[number] = owner_.template adjoint<A>(memory_[number]);
    return known_[number];
  }

 private:
  program &owner_;
  std::vector<T *> &memory_;
  mutable std::vector<A *> known_;  // also in what is run later, with a copy
};

}  // namespace cladpy
