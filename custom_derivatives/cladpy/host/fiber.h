// Fibers: stacks of their own that give control to each other. Part of <cladpy/host.h>.
#ifndef CLADPY_HOST_FIBER_H
#define CLADPY_HOST_FIBER_H

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__ELF__) && (defined(__x86_64__) || defined(__aarch64__)) && !defined(CLADPY_HOST_UCONTEXT)
#define CLADPY_HOST_OWN_SWITCH 1
#else
#define CLADPY_HOST_OWN_SWITCH 0
#include <ucontext.h>
#endif

#if CLADPY_HOST_OWN_SWITCH
// cladpy_host_switch(void **save, void *load): keeps the callee-saved registers on this stack, stores the stack
// pointer in *save, and goes on where the stack `load` was left.
// cladpy_host_enter: first code on a new stack; calls the function that `start` put there with its argument.
extern "C" CLADPY_HOST_HIDDEN void cladpy_host_switch(void **save, void *load);
extern "C" CLADPY_HOST_HIDDEN void cladpy_host_enter();
#if defined(__x86_64__)
__asm__(R"(
.pushsection .text.cladpy_host_switch,"axG",@progbits,cladpy_host_switch,comdat
.weak cladpy_host_switch
.hidden cladpy_host_switch
.type cladpy_host_switch,@function
cladpy_host_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size cladpy_host_switch, .-cladpy_host_switch
.weak cladpy_host_enter
.hidden cladpy_host_enter
.type cladpy_host_enter,@function
cladpy_host_enter:
  .cfi_startproc
  .cfi_undefined rip
  movq %r12, %rdi
  callq *%rbx
  ud2
  .cfi_endproc
.size cladpy_host_enter, .-cladpy_host_enter
.popsection
)");
#else
__asm__(R"(
.pushsection .text.cladpy_host_switch,"axG",%progbits,cladpy_host_switch,comdat
.weak cladpy_host_switch
.hidden cladpy_host_switch
.type cladpy_host_switch,%function
cladpy_host_switch:
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
.size cladpy_host_switch, .-cladpy_host_switch
.weak cladpy_host_enter
.hidden cladpy_host_enter
.type cladpy_host_enter,%function
cladpy_host_enter:
  .cfi_startproc
  .cfi_undefined x30
  mov x0, x20
  blr x19
  brk #1
  .cfi_endproc
.size cladpy_host_enter, .-cladpy_host_enter
.popsection
)");
#endif
#endif

#if defined(__SANITIZE_THREAD__) && !defined(CLADPY_HOST_FIBERS)
// The sanitizer watches workers, and has to know that one goes on with another stack.
extern "C" {
void *__tsan_get_current_fiber(void);
void *__tsan_create_fiber(unsigned flags);
void __tsan_destroy_fiber(void *fiber);
void __tsan_switch_to_fiber(void *fiber, unsigned flags);
}
#define CLADPY_HOST_WATCHED_WORKERS
#endif

namespace cladpy {
namespace host {

// Address space per stack; pages are taken as they are touched. CUDA allows 512 KiB of local memory per thread.
constexpr std::size_t stack_bytes = std::size_t(1) << 20;

// A stack that waits or runs; without a stack of its own, the thread of the operating system that runs the fibers.
class Fiber {
public:
  Fiber() = default;
  Fiber(const Fiber &) = delete;
  Fiber &operator=(const Fiber &) = delete;

  // Takes a stack, whose lowest page is a guard; false if there is no memory.
  bool allocate() {
    const long page = sysconf(_SC_PAGESIZE);
    int flags = MAP_PRIVATE | MAP_ANONYMOUS;
#if defined(MAP_NORESERVE)
    flags |= MAP_NORESERVE;
#endif
    void *memory = mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (memory == MAP_FAILED) return false;
    mprotect(memory, static_cast<std::size_t>(page), PROT_NONE);
    stack_ = static_cast<char *>(memory);
#if defined(CLADPY_HOST_WATCHED_WORKERS)
    watched_ = __tsan_create_fiber(0);
#endif
    return true;
  }

  void release() {
    if (stack_) munmap(stack_, stack_bytes);
#if defined(CLADPY_HOST_WATCHED_WORKERS)
    if (stack_) __tsan_destroy_fiber(watched_);
#endif
    stack_ = nullptr;
  }

  // The next switch to this fiber calls function(argument), which must never return.
  // Stacks begin at different places in their pages (`color`): else their first bytes would share a few lines of the caches.
  void start(void (*function)(void *), void *argument, [[maybe_unused]] unsigned color = 0) {
#if CLADPY_HOST_OWN_SWITCH
    char *top = stack_ + stack_bytes - color % 61 * 1088;
    void **frame = reinterpret_cast<void **>(top);
#if defined(__x86_64__)
    frame -= 9; // r15 r14 r13 r12 rbx rbp, the return address, and two words that keep the stack aligned at the call
    for (int k = 0; k < 9; ++k) frame[k] = nullptr;
    frame[3] = argument;
    frame[4] = reinterpret_cast<void *>(function);
    frame[6] = reinterpret_cast<void *>(&cladpy_host_enter);
#else
    frame -= 20;
    for (int k = 0; k < 20; ++k) frame[k] = nullptr;
    frame[0] = reinterpret_cast<void *>(function);
    frame[1] = argument;
    frame[11] = reinterpret_cast<void *>(&cladpy_host_enter);
#endif
    pointer_ = frame;
#else
    getcontext(&context_);
    context_.uc_stack.ss_sp = stack_;
    context_.uc_stack.ss_size = stack_bytes;
    context_.uc_link = nullptr;
    const auto f = reinterpret_cast<std::uintptr_t>(function), a = reinterpret_cast<std::uintptr_t>(argument);
    makecontext(&context_, reinterpret_cast<void (*)()>(&trampoline), 4, unsigned(f), unsigned(std::uint64_t(f) >> 32),
                unsigned(a), unsigned(std::uint64_t(a) >> 32));
#endif
  }

  // Leaves `from`, which is the fiber that runs, and goes on with `to`.
  static void change(Fiber &from, Fiber &to) {
#if defined(CLADPY_HOST_WATCHED_WORKERS)
    if (!from.stack_) from.watched_ = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(to.watched_, 0);
#endif
#if CLADPY_HOST_OWN_SWITCH
    cladpy_host_switch(&from.pointer_, to.pointer_);
#else
    swapcontext(&from.context_, &to.context_);
#endif
  }

  bool owns(const void *address) const {
    const char *p = static_cast<const char *>(address);
    return stack_ && p >= stack_ && p < stack_ + stack_bytes;
  }

private:
#if CLADPY_HOST_OWN_SWITCH
  void *pointer_ = nullptr;
#else
  static void trampoline(unsigned f0, unsigned f1, unsigned a0, unsigned a1) {
    const auto f = static_cast<std::uintptr_t>(f0 | std::uint64_t(f1) << 32);
    const auto a = static_cast<std::uintptr_t>(a0 | std::uint64_t(a1) << 32);
    reinterpret_cast<void (*)(void *)>(f)(reinterpret_cast<void *>(a));
  }
  ucontext_t context_;
#endif
  char *stack_ = nullptr;
#if defined(CLADPY_HOST_WATCHED_WORKERS)
  void *watched_ = nullptr;
#endif
};

} // namespace host
} // namespace cladpy

#endif
