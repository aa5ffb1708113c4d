// Blocks of a kernel, and their threads, on one thread of the operating system. Part of <cladpy/host.h>.
//
// Threads run one at a time, each until it ends or waits. A fiber goes through threads that have not started yet; only
// when a thread waits does it keep the fiber, and another takes over. So a kernel without barriers is a plain loop: over
// workers (workers.h) one that the compiler sees, with the kernel in it (`turn_of`).
#ifndef CLADPY_HOST_SCHEDULER_H
#define CLADPY_HOST_SCHEDULER_H

#include <cstdarg>

namespace cladpy {
namespace host {

// A thread that goes through this many atomics lets others run, since it may wait for one of them.
constexpr unsigned atomics_per_turn = 1u << 16;
// As many turns without any thread getting on are taken for a wait that has no end. (Minutes for a kernel that computes.)
#if !defined(CLADPY_HOST_MAX_TURNS)
#define CLADPY_HOST_MAX_TURNS (1u << 18)
#endif

constexpr unsigned max_threads = 1024;
constexpr unsigned max_warps = max_threads / 32;

// What a lane brings to a warp operation and what it takes from it.
struct WarpRequest {
  const char *name = nullptr; // identifies the operation: all lanes must bring the same
  void (*resolve)(WarpRequest *lanes, unsigned participants) = nullptr;
  unsigned mask = 0;
  int source = 0; // the lane whose value a shuffle takes, or an operation's own use
  std::uint64_t input = 0;
  std::uint64_t output = 0;
  int flag = 0; // second result
};

#if !defined(CLADPY_HOST_FIBERS)
// A fiber's way through threads in their order: those from `first` on, until one of them waits, which it stays with.
struct Turn {
  bool waited = false;
  bool whole = false; // all threads of the block at once: none of them can wait
  unsigned first = 0;
};

// What workers run together: the grid, and the first failure.
struct Launch {
  dim3 grid, block;
  std::size_t shared;
  void (*call)(void *);
  void *body;
  std::uint64_t blocks;
  unsigned pieces;
  std::vector<Sums> sums; // of pieces, until those of all before are added
  std::vector<char> done;
  unsigned finished = 0;
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  int failed = 0; // whether there is a failure: the others stop
  cudaError_t status = cudaSuccess;
  char error[512] = "";
};
#endif

class Scheduler {
public:
  // Runs a kernel for every thread of the grid: `call(body)` does so for one thread, or for those of a block that its
  // `Turn` comes to. Raises nothing; a failure's text is in `error()`.
  CLADPY_HOST_UNWATCHED cudaError_t launch(dim3 grid, dim3 block, std::size_t shared, void (*call)(void *), void *body) {
    const std::uint64_t threads = std::uint64_t(block.x) * block.y * block.z;
    if (!threads || threads > max_threads || block.z > 64 || !grid.x || grid.x > 0x7fffffffu || !grid.y ||
        grid.y > 65535 || !grid.z || grid.z > 65535)
      return refuse(cudaErrorInvalidConfiguration, "invalid configuration argument: grid (%u, %u, %u), block (%u, %u, %u)", grid, block);
    if (shared > max_shared_bytes)
      return refuse(cudaErrorInvalidValue, "invalid argument: too much dynamic shared memory, grid (%u, %u, %u), block (%u, %u, %u)",
                    grid, block);
    if (running()) fail(cudaErrorNotSupported, "a kernel launched a kernel, which the host backend does not run");
#if defined(CLADPY_HOST_FIBERS)
    pthread_mutex_lock(&mutex_);
    error_[0] = 0;
    status_ = cudaSuccess;
    owner_ = pthread_self();
    running_ = true;
    grid_ = grid;
    block_ = block;
    call_ = call;
    body_ = body;
    count_ = unsigned(threads);
    launches_ += 1;
    ::gridDim = grid;
    ::blockDim = block;
    sanitizer.begin_grid();
    const DynamicShared dynamic(shared);
    run_grid();
    if (const unsigned char *at = status_ == cudaSuccess ? dynamic.spoilt() : nullptr)
      fail(cudaErrorIllegalAddress,
           "byte %zu of the dynamic shared memory is stored to, where the launch asks for %zu bytes: see shared_mem",
           dynamic.offset(at), shared);
    sanitizer.end_grid();
    give_back_stacks();
    ::threadIdx = uint3{0, 0, 0};
    ::blockIdx = uint3{0, 0, 0};
    ::gridDim = ::blockDim = dim3();
    running_ = false;
    const cudaError_t status = status_;
    pthread_mutex_unlock(&mutex_);
    return status;
  }
#else
    error_[0] = 0;
    status_ = cudaSuccess;
    const std::uint64_t blocks = std::uint64_t(grid.x) * grid.y * grid.z;
    const unsigned pieces = unsigned(blocks < most_pieces ? blocks : most_pieces);
    Launch all{grid, block, shared, call, body, blocks, pieces, std::vector<Sums>(pieces), std::vector<char>(pieces)};
    workers.run(
        pieces, blocks * threads >= large,
        [](void *launch, unsigned piece) { run_piece(*static_cast<Launch *>(launch), piece); }, &all);
    if (all.failed) {
      status_ = all.status;
      std::memcpy(error_, all.error, sizeof error_);
    }
    return status_;
  }
#endif

  // True on a fiber: in the body of a kernel.
#if defined(CLADPY_HOST_FIBERS)
  CLADPY_HOST_UNWATCHED bool running() const { return running_ && pthread_equal(owner_, pthread_self()); }
#else
  bool running() const { return running_; }
#endif

  CLADPY_HOST_UNWATCHED const char *error() const { return error_; }

  // Gives the running kernel up: on a fiber this does not return.
  CLADPY_HOST_UNWATCHED __attribute__((format(printf, 3, 4))) void fail(cudaError_t status, const char *format, ...) {
    if (status_ == cudaSuccess) {
      std::va_list list;
      va_start(list, format);
      std::vsnprintf(error_, sizeof error_, format, list);
      va_end(list);
      status_ = status;
    }
    if (running() && on_fiber_) {
      sanitizer.leave();
      to_scheduler();
    }
  }

  // Waits until every thread of the block that has not ended is here. `result`: 0 count, 1 and, 2 or of the predicates.
  CLADPY_HOST_UNWATCHED int barrier(const char *name, int result, int predicate) {
    come(name);
    Thread &thread = threads_[current_];
    if (!at_barrier_) {
      barrier_name_ = name;
      sums_[0] = sums_[2] = 0;
      sums_[1] = 1;
    } else if (barrier_name_ != name && std::strcmp(barrier_name_, name) != 0) {
      fail(cudaErrorLaunchFailure, "in block (%u, %u, %u) thread (%u, %u, %u) came to %s while others wait at %s",
           ::blockIdx.x, ::blockIdx.y, ::blockIdx.z, ::threadIdx.x, ::threadIdx.y, ::threadIdx.z, name, barrier_name_);
    }
    sums_[0] += predicate != 0;
    sums_[1] &= predicate != 0;
    sums_[2] |= predicate != 0;
    thread.state = State::barrier;
    at_barrier_ += 1;
    release_barrier();
    wait();
    return threads_[current_].results[result];
  }

  // Waits until every lane of the mask that has not ended brings the same operation with the same mask.
  CLADPY_HOST_UNWATCHED WarpRequest &warp(const WarpRequest &request) {
    come(request.name);
    Thread &thread = threads_[current_];
    const unsigned lane = current_ % 32;
    if (!(request.mask >> lane & 1))
      fail(cudaErrorLaunchFailure, "%s: lane %u of warp %u, block (%u, %u, %u), is not in its own mask 0x%08x",
           request.name, lane, current_ / 32, ::blockIdx.x, ::blockIdx.y, ::blockIdx.z, request.mask);
    requests_[current_] = request;
    thread.state = State::warp;
    waiting_[current_ / 32] |= 1u << lane;
    resolve_warp(current_);
    wait();
    return requests_[current_];
  }

  // Called by every atomic: what a thread can wait with for another.
  CLADPY_HOST_UNWATCHED void count_atomic() {
    if (++atomics_ >= atomics_per_turn) give_way();
  }

  // The lanes of the warp that are here together: those that come here before every thread of the block waits.
  CLADPY_HOST_UNWATCHED unsigned active_mask() {
    come("__activemask()");
    threads_[current_].state = State::active;
    wait();
    return unsigned(requests_[current_].output);
  }

  // Where an access happens: position in the grid and how many barriers came before it.
  CLADPY_HOST_UNWATCHED std::uint64_t launch_number() const { return launches_; }
  CLADPY_HOST_UNWATCHED std::uint64_t block_number() const { return block_number_; }
#if defined(CLADPY_HOST_FIBERS)
  CLADPY_HOST_UNWATCHED unsigned thread_number() const { return current_; }
#else
  static unsigned thread_number() { return ::threadIdx.x + ::blockDim.x * (::threadIdx.y + ::blockDim.y * ::threadIdx.z); }
#endif
  CLADPY_HOST_UNWATCHED unsigned interval() const { return interval_; }
  CLADPY_HOST_UNWATCHED unsigned warp_interval() const { return warp_intervals_[current_ / 32]; }

  // A local variable of the thread that runs.
  CLADPY_HOST_UNWATCHED bool on_own_stack(const void *address) const { return on_fiber_ && on_fiber_->owns(address); }

private:
  enum class State : unsigned char { fresh, ready, barrier, warp, active, ended };
  struct Thread {
    State state = State::fresh;
    Fiber *fiber = nullptr;
    int results[3] = {0, 0, 0};
  };

  CLADPY_HOST_UNWATCHED cudaError_t refuse(cudaError_t status, const char *format, dim3 grid, dim3 block) {
    if (!running()) status_ = cudaSuccess;
    char text[160];
    std::snprintf(text, sizeof text, format, grid.x, grid.y, grid.z, block.x, block.y, block.z);
    fail(status, "%s", text);
    return status;
  }

  // The thread that runs comes to an operation which it may wait in. Such make sense in a kernel only.
  CLADPY_HOST_UNWATCHED void come(const char *name) {
    if (!running()) {
      std::fprintf(stderr, "cladpy: %s outside a kernel\n", name);
      std::abort();
    }
#if !defined(CLADPY_HOST_FIBERS)
    if (turn_->waited) return;
    if (turn_->whole) fail(cudaErrorNotSupported, "%s in a loop over the threads of a block", name);
    turn_->waited = true;
    current_ = thread_number();
    cursor_ = current_ + 1; // which another fiber goes on with
    if (!divided_) begin_block();
    divided_ = true;
    end_all(turn_->first, current_);
    threads_[current_].state = State::ready;
#endif
  }

#if !defined(CLADPY_HOST_FIBERS)
  static constexpr std::uint64_t large = 4096; // threads of a grid

  static void run_piece(Launch &launch, unsigned piece);

  void run_blocks(Launch &launch, unsigned piece) {
    error_[0] = 0;
    status_ = cudaSuccess;
    running_ = true;
    call_ = launch.call;
    body_ = launch.body;
    count_ = launch.block.x * launch.block.y * launch.block.z;
    sums_of_piece = &launch.sums[piece];
    ::gridDim = launch.grid;
    ::blockDim = block_ = launch.block;
    const DynamicShared dynamic(launch.shared);
    const std::uint64_t first = launch.blocks * piece / launch.pieces;
    const std::uint64_t last = launch.blocks * (piece + 1) / launch.pieces;
    piece_number += 1;
    threads_of_piece = (last - first) * count_;
    for (std::uint64_t k = first; k < last; ++k) {
      if (__atomic_load_n(&launch.failed, __ATOMIC_RELAXED)) break;
      block_number_ = k;
      ::blockIdx = uint3{unsigned(k), 0, 0};
      if (launch.grid.y != 1 || launch.grid.z != 1)
        ::blockIdx = uint3{unsigned(k % launch.grid.x), unsigned(k / launch.grid.x % launch.grid.y),
                           unsigned(k / launch.grid.x / launch.grid.y)};
      run_block();
      flush_sites(true, launch.sums[piece]);
      if (status_ != cudaSuccess) break;
    }
    flush_sites(false, launch.sums[piece]);
    finish_lines<float>();
    finish_lines<double>();
    if (const unsigned char *at = status_ == cudaSuccess ? dynamic.spoilt() : nullptr)
      fail(cudaErrorIllegalAddress,
           "byte %zu of the dynamic shared memory is stored to, where the launch asks for %zu bytes: see shared_mem",
           dynamic.offset(at), launch.shared);
    ::threadIdx = ::blockIdx = uint3{0, 0, 0};
    ::gridDim = ::blockDim = dim3();
    sums_of_piece = nullptr;
    running_ = false;
    pthread_mutex_lock(&launch.mutex);
    if (status_ == cudaSuccess) {
      launch.done[piece] = 1;
      while (launch.finished < launch.pieces && launch.done[launch.finished]) launch.sums[launch.finished++].finish();
    } else if (!launch.failed) {
      launch.status = status_;
      std::memcpy(launch.error, error_, sizeof error_);
      __atomic_store_n(&launch.failed, 1, __ATOMIC_RELAXED);
    }
    pthread_mutex_unlock(&launch.mutex);
  }

public:
  // What the loop over threads (`turn_of`) begins, ends where a thread has waited, and ends where none has.
  unsigned begin_turn(Turn &turn) {
    turn_ = &turn;
    turn.first = cursor_;
    cursor_ = count_;
    return turn.first;
  }
  void end_waited() { end(current_); }
  void end_turn(const Turn &turn) {
    if (divided_) end_all(turn.first, count_);
  }
  void *body() const { return body_; }

  // Gives the stacks back.
  void leave() {
    while (fibers_) pool_[--fibers_].release();
    idle_ = 0;
  }

private:
  void end_all(unsigned first, unsigned last) {
    for (unsigned k = first; k < last; ++k) end(k);
  }

  // The threads of a block without a wait are one turn of one fiber.
  CLADPY_HOST_UNWATCHED void run_block() {
    divided_ = false;
    cursor_ = 0;
    Fiber *fiber = take_fiber();
    if (!fiber) return;
    resume(*fiber);
    if (status_ != cudaSuccess) return abandon();
    if (!divided_) return;
    run_divided();
  }
#endif

  CLADPY_HOST_UNWATCHED void begin_block() {
    for (unsigned k = 0; k < count_; ++k) threads_[k].state = State::fresh;
    const unsigned warps = (count_ + 31) / 32;
    for (unsigned w = 0; w < warps; ++w) gone_[w] = waiting_[w] = warp_intervals_[w] = 0;
    if (count_ % 32) gone_[warps - 1] = ~0u << count_ % 32; // lanes that do not exist count as ended
    ended_ = at_barrier_ = interval_ = turns_ = 0;
  }

#if defined(CLADPY_HOST_FIBERS)
  CLADPY_HOST_UNWATCHED void run_grid() {
    const std::uint64_t blocks = std::uint64_t(grid_.x) * grid_.y * grid_.z;
    std::uint64_t *permuted = nullptr;
    random_ = Random(config.seed);
    of_block_ = config.order == order_random && nothing_else ? shared_memory() : SharedMemory();
    if (config.order == order_random && blocks > 1) {
      permuted = static_cast<std::uint64_t *>(std::malloc(blocks * sizeof(std::uint64_t)));
      if (!permuted) {
        fail(cudaErrorMemoryAllocation, "no memory for the order of the blocks");
        return;
      }
      for (std::uint64_t k = 0; k < blocks; ++k) permuted[k] = k;
      random_.shuffle(permuted, blocks);
    }
    for (unsigned k = 0; k < count_; ++k) order_[k] = config.order == order_reverse ? count_ - 1 - k : k;
    for (std::uint64_t k = 0; k < blocks && status_ == cudaSuccess; ++k) {
      block_number_ = permuted ? permuted[k] : config.order == order_reverse ? blocks - 1 - k : k;
      ::blockIdx.x = unsigned(block_number_ % grid_.x);
      ::blockIdx.y = unsigned(block_number_ / grid_.x % grid_.y);
      ::blockIdx.z = unsigned(block_number_ / grid_.x / grid_.y);
      sanitizer.begin_block(count_, block_number_);
      run_block();
      sanitizer.end_block();
    }
    std::free(permuted);
  }

  CLADPY_HOST_UNWATCHED void run_block() {
    begin_block();
    if (config.order == order_random) {
      random_.shuffle(order_, count_);
      // a block finds anything in its shared memory: here, what is no number
      if (of_block_.end > of_block_.begin)
        std::memset(reinterpret_cast<void *>(of_block_.begin), 0xff, of_block_.end - of_block_.begin);
    }
    run_divided();
  }
#endif

  CLADPY_HOST_UNWATCHED void run_divided() {
    while (true) {
      const unsigned before = interval_;
      progress_ = false;
      for (cursor_ = 0; cursor_ < count_ && status_ == cudaSuccess;) {
        const unsigned next = thread_at(cursor_);
        if (threads_[next].state == State::fresh) {
          Fiber *fiber = take_fiber();
          if (!fiber) return;
          resume(*fiber);
        } else {
          ++cursor_;
          if (threads_[next].state == State::ready) {
            select(next);
            resume(*threads_[next].fiber);
          }
        }
      }
      if (status_ != cudaSuccess) return abandon();
      if (ended_ == count_) return;
      if (!progress_ && !release_active()) {
        report_deadlock();
        return abandon();
      }
#if defined(CLADPY_HOST_FIBERS)
      if (interval_ != before && config.order == order_random) random_.shuffle(order_, count_);
#else
      (void)before;
#endif
    }
  }

  CLADPY_HOST_UNWATCHED unsigned thread_at(unsigned position) const {
#if defined(CLADPY_HOST_FIBERS)
    return order_[position];
#else
    return position;
#endif
  }

  // ---- fibers ----

  CLADPY_HOST_UNWATCHED Fiber *take_fiber() {
    if (idle_ && sanitized) { // a stack of its own: the sanitizer forgets what was on the last
      Fiber *fiber = idle_list_[--idle_];
      fiber->release();
      if (fiber->allocate()) {
        fiber->start(&run_threads, fiber);
        return fiber;
      }
      fail(cudaErrorMemoryAllocation, "no memory for the stack of a thread");
      return nullptr;
    }
    if (idle_) return idle_list_[--idle_];
    if (fibers_ == max_threads || !pool_[fibers_].allocate()) {
      fail(cudaErrorMemoryAllocation, "no memory for the stack of a thread");
      return nullptr;
    }
    Fiber *fiber = &pool_[fibers_++];
    fiber->start(&run_threads, fiber, fibers_);
    return fiber;
  }

  CLADPY_HOST_UNWATCHED void resume(Fiber &fiber) {
    progress_ = true;
    on_fiber_ = &fiber;
    Fiber::change(home_, fiber);
    on_fiber_ = nullptr;
  }

  CLADPY_HOST_UNWATCHED void to_scheduler() { Fiber::change(*on_fiber_, home_); }

  CLADPY_HOST_UNWATCHED void wait() {
    threads_[current_].fiber = on_fiber_;
    sanitizer.leave();
#if defined(CLADPY_HOST_FIBERS)
    to_scheduler();
#else
    Turn *const own = turn_;
    to_scheduler();
    turn_ = own;
#endif
    sanitizer.enter(current_);
  }

  // All stacks start anew: what they held is given up.
  CLADPY_HOST_UNWATCHED void abandon() {
    idle_ = 0;
    for (unsigned k = 0; k < fibers_; ++k) {
      pool_[k].start(&run_threads, &pool_[k], k);
      idle_list_[idle_++] = &pool_[k];
    }
  }

  // Each library has stacks of its own, and a process has room for some ten thousand: only a few stay between launches.
  CLADPY_HOST_UNWATCHED void give_back_stacks() {
    if (fibers_ <= stacks_kept || idle_ != fibers_) return;
    while (fibers_ > stacks_kept) pool_[--fibers_].release();
    for (idle_ = 0; idle_ < fibers_; ++idle_) idle_list_[idle_] = &pool_[idle_];
  }

  // A fiber's life: takes threads that have not started, and rests when there are none.
  CLADPY_HOST_UNWATCHED static void run_threads(void *argument);

#if defined(CLADPY_HOST_FIBERS)
  CLADPY_HOST_UNWATCHED void run_fresh() {
    while (cursor_ < count_ && status_ == cudaSuccess) {
      const unsigned next = order_[cursor_];
      if (threads_[next].state != State::fresh) return;
      ++cursor_;
      select(next);
      threads_[next].state = State::ready;
      sanitizer.enter(next);
      try {
        call_(body_);
      } catch (...) {
        fail(cudaErrorLaunchFailure, "the kernel threw an exception");
      }
      end(current_);
      sanitizer.leave();
      if (sanitized) return;
    }
  }
#else
  void run_fresh() {
    try {
      call_(body_);
    } catch (...) {
      fail(cudaErrorLaunchFailure, "the kernel threw an exception");
    }
  }
#endif

  CLADPY_HOST_UNWATCHED void give_way() {
    atomics_ = 0;
    if (!running() || !on_fiber_) return;
#if !defined(CLADPY_HOST_FIBERS)
    if (turn_->whole) return;
    come("an atomic operation");
    sched_yield();  // it may wait for a block that another worker runs
#endif
    if (++turns_ > CLADPY_HOST_MAX_TURNS)
      fail(cudaErrorLaunchTimeout,
           "threads of block (%u, %u, %u) wait with atomics for something that does not happen; blocks run one after "
           "another on the host backend",
           ::blockIdx.x, ::blockIdx.y, ::blockIdx.z);
    threads_[current_].state = State::ready;
    wait();
  }

  CLADPY_HOST_UNWATCHED void select(unsigned thread) {
    current_ = thread;
    atomics_ = 0;
    if (block_.y == 1 && block_.z == 1) {
      ::threadIdx.x = thread;
    } else {
      ::threadIdx.x = thread % block_.x;
      ::threadIdx.y = thread / block_.x % block_.y;
      ::threadIdx.z = thread / block_.x / block_.y;
    }
  }

  CLADPY_HOST_UNWATCHED void end(unsigned thread) {
    threads_[thread].state = State::ended;
    ended_ += 1;
    turns_ = 0;
    const unsigned warp = thread / 32;
    gone_[warp] |= 1u << thread % 32;
    if (at_barrier_) release_barrier();
    for (unsigned lane = 0; waiting_[warp] && lane < 32; ++lane)
      if (waiting_[warp] >> lane & 1) resolve_warp(warp * 32 + lane);
  }

  // ---- meeting points ----

  CLADPY_HOST_UNWATCHED void release_barrier() {
    if (at_barrier_ + ended_ != count_) return;
    sanitizer.meet([&](unsigned k) { return threads_[k].state == State::barrier || threads_[k].state == State::ended; });
    for (unsigned k = 0; k < count_; ++k) {
      if (threads_[k].state != State::barrier) continue;
      threads_[k].state = State::ready;
      for (int s = 0; s < 3; ++s) threads_[k].results[s] = sums_[s];
    }
    at_barrier_ = 0;
    interval_ += 1;
    turns_ = 0;
  }

  CLADPY_HOST_UNWATCHED void resolve_warp(unsigned thread) {
    const unsigned warp = thread / 32, first = warp * 32;
    const WarpRequest &request = requests_[thread];
    const unsigned participants = request.mask & ~gone_[warp];
    if (participants & ~waiting_[warp]) return;
    for (unsigned lane = 0; lane < 32; ++lane) {
      const WarpRequest &other = requests_[first + lane];
      if ((participants >> lane & 1) && (other.mask != request.mask || std::strcmp(other.name, request.name) != 0))
        return;
    }
    request.resolve(&requests_[first], participants);
    if (std::strcmp(request.name, "__syncwarp()") == 0) // the others order nothing in memory
      sanitizer.meet([&](unsigned k) { return k / 32 == warp && (participants >> k % 32 & 1); });
    turns_ = 0;
    waiting_[warp] &= ~participants;
    warp_intervals_[warp] += 1;
    for (unsigned lane = 0; lane < 32; ++lane)
      if (participants >> lane & 1) threads_[first + lane].state = State::ready;
  }

  CLADPY_HOST_UNWATCHED bool release_active() {
    bool any = false;
    for (unsigned first = 0; first < count_; first += 32) {
      unsigned mask = 0;
      for (unsigned lane = 0; lane < 32 && first + lane < count_; ++lane)
        if (threads_[first + lane].state == State::active) mask |= 1u << lane;
      for (unsigned lane = 0; mask && lane < 32; ++lane) {
        if (!(mask >> lane & 1)) continue;
        threads_[first + lane].state = State::ready;
        requests_[first + lane].output = mask;
        any = true;
      }
    }
    return any;
  }

  CLADPY_HOST_UNWATCHED void report_deadlock() {
    unsigned in_warp = 0, first = max_threads;
    for (unsigned k = 0; k < count_; ++k) {
      if (threads_[k].state != State::warp) continue;
      in_warp += 1;
      if (first == max_threads) first = k;
    }
    char barriers[128] = "", warps[192] = "";
    if (at_barrier_) std::snprintf(barriers, sizeof barriers, "%u at %s", at_barrier_, barrier_name_);
    if (in_warp)
      std::snprintf(warps, sizeof warps, "%s%u in warp operations (thread %u at %s with mask 0x%08x)",
                    at_barrier_ ? ", " : "", in_warp, first, requests_[first].name, requests_[first].mask);
    fail(cudaErrorLaunchFailure, "deadlock in block (%u, %u, %u): of %u threads %u ended and the others wait: %s%s",
         ::blockIdx.x, ::blockIdx.y, ::blockIdx.z, count_, ended_, barriers, warps);
  }

#if defined(CLADPY_HOST_FIBERS)
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  pthread_t owner_{};
  unsigned order_[max_threads] = {};
  SharedMemory of_block_;
  Random random_;
#else
  Turn *turn_ = nullptr;
  bool divided_ = false; // whether a thread of the block has waited
#endif
  bool running_ = false, progress_ = false;
  cudaError_t status_ = cudaSuccess;
  char error_[512] = "";

  dim3 block_{0, 0, 0};
#if defined(CLADPY_HOST_FIBERS)
  dim3 grid_;
#endif
  void (*call_)(void *) = nullptr;
  void *body_ = nullptr;
  std::uint64_t launches_ = 0, block_number_ = 0;
  unsigned count_ = 0, ended_ = 0, at_barrier_ = 0, interval_ = 0, cursor_ = 0, current_ = 0, atomics_ = 0,
           turns_ = 0;
  const char *barrier_name_ = nullptr;
  int sums_[3] = {};

  Thread threads_[max_threads];
  WarpRequest requests_[max_threads];
  unsigned gone_[max_warps] = {}, waiting_[max_warps] = {}, warp_intervals_[max_warps] = {};

  Fiber home_, pool_[max_threads], *on_fiber_ = nullptr, *idle_list_[max_threads] = {};
#if defined(CLADPY_HOST_FIBERS)
  static constexpr unsigned stacks_kept = 16;
#else
  static constexpr unsigned stacks_kept = max_threads; // those of a thread of the operating system end with it
#endif
  unsigned fibers_ = 0, idle_ = 0;
};

CLADPY_HOST_OWN Scheduler scheduler{};

CLADPY_HOST_UNWATCHED inline void Scheduler::run_threads(void *argument) {
  Fiber *self = static_cast<Fiber *>(argument);
  while (true) {
    scheduler.run_fresh();
    scheduler.idle_list_[scheduler.idle_++] = self;
    scheduler.to_scheduler();
  }
}

#if !defined(CLADPY_HOST_FIBERS)
inline void Scheduler::run_piece(Launch &launch, unsigned piece) { scheduler.run_blocks(launch, piece); }
inline void leave_worker() {
  scheduler.leave();
  leave_pages<float>();
  leave_pages<double>();
}

// The kernel for the threads of a block in their order, from one on, until one of them waits. Indices made of built-in
// variables are linear in that of the loop where they do not wrap around, which the first loop says.
template <class F> __attribute__((CLADPY_HOST_TARGET CLADPY_HOST_FLATTEN noinline)) void turn_of(void *object) {
  // a copy is known to be nobody else's
  std::conditional_t<std::is_trivially_copyable<F>::value, F, F &> body = *static_cast<F *>(object);
  Turn turn;
  const unsigned first = scheduler.begin_turn(turn);
  const uint3 block = ::blockDim;
  if (block.y == 1 && block.z == 1) {
    ::threadIdx.y = ::threadIdx.z = 0;
    if (::blockIdx.x * block.x <= 0x7fff0000u && block.x <= max_threads) {
      for (unsigned x = first; x < block.x; ++x) {
        ::threadIdx.x = x;
        body();
        if (turn.waited) return scheduler.end_waited();
      }
    } else {
      for (unsigned x = first; x < block.x; ++x) {
        ::threadIdx.x = x;
        body();
        if (turn.waited) return scheduler.end_waited();
      }
    }
  } else {
    unsigned begin = first % block.x;
    for (unsigned row = first / block.x; row < block.y * block.z; ++row) {
      ::threadIdx.y = row % block.y;
      ::threadIdx.z = row / block.y;
      for (unsigned x = begin; x < block.x; ++x) {
        ::threadIdx.x = x;
        body();
        if (turn.waited) return scheduler.end_waited();
      }
      begin = 0;
    }
  }
  scheduler.end_turn(turn);
}

// The same where the kernel is for all threads of a block.
template <class F> __attribute__((CLADPY_HOST_TARGET CLADPY_HOST_FLATTEN noinline)) void block_of(void *object) {
  std::conditional_t<std::is_trivially_copyable<F>::value, F, F &> body = *static_cast<F *>(object);
  Turn turn;
  turn.whole = true;
  (void)scheduler.begin_turn(turn);
  body();
  scheduler.end_turn(turn);
}
#endif

} // namespace host
} // namespace cladpy

// What a program that loads the compiled library uses.
extern "C" {
// order: 0 forward, 1 reverse, 2 random with the seed.
__attribute__((used, visibility("default"))) inline void cladpy_host_configure(int order, unsigned long long seed) {
  cladpy::host::config.order = order;
  cladpy::host::config.seed = seed;
}
}

#endif
