// Where the shared memory of kernels lies. Part of <cladpy/host.h>.
#ifndef CLADPY_HOST_SHARED_MEMORY_H
#define CLADPY_HOST_SHARED_MEMORY_H

#if defined(__linux__)
#include <link.h>
#endif

// Where the dynamic shared memory of the running thread begins; there is no such function in a library without. Found by
// the table of addresses: not all linkers give none to what is hidden and missing.
extern "C" unsigned char *cladpy_dynamic_shared() __attribute__((weak, visibility("default")));

namespace cladpy {
namespace host {

constexpr std::size_t max_shared_bytes = 227 * 1024;

// How emitted code declares its dynamic shared memory. Where the host backend compiles it, that is a symbol which it defines,
// and kernels of the user's may have others; a program of the user's own has memory from here.
#if defined(CLADPY_HOST_FIBERS) || defined(CLADPY_HOST_ONE_UNIT)
#define CLADPY_DYNAMIC_SHARED(name) extern __shared__ __align__(16) unsigned char name[]
#define CLADPY_SHARED_ARRAY(name, symbol, initialization)
#define CLADPY_UNNAMED_SHARED(name)
#else
#define CLADPY_DYNAMIC_SHARED(name) unsigned char *const name = ::cladpy::host::own_dynamic_shared()

extern "C" {
alignas(256) CLADPY_HOST_HIDDEN inline thread_local unsigned char cladpy_own_dynamic_shared[max_shared_bytes];
}

// Where it is the compiler is not to know: it might put together an address with a large constant, which is taken away
// again from an index that a kernel has made of an address, and which has no room in a relocation.
inline unsigned char *own_dynamic_shared() {
  unsigned char *place = cladpy_own_dynamic_shared;
  asm("" : "+r"(place));
  return place;
}

// What kernels of the user's call dynamic shared memory is that memory, in all files of a program: the assembler takes one
// symbol for the other. To the compiler it may be a variable that has to be initialised, by a function that belongs to it
// or, in an unnamed namespace, by that of the whole file, which a file has where something is to be initialised.
#if defined(__ELF__)
#define CLADPY_SHARED_ARRAY(name, symbol, initialization) \
  __asm__(".ifndef " symbol "\n\t.weakref " symbol ", cladpy_own_dynamic_shared\n\t.endif"); \
  extern "C" unsigned char *name() __asm__(initialization) __attribute__((weak)); \
  unsigned char *name() { return ::cladpy::host::own_dynamic_shared(); }
#define CLADPY_UNNAMED_SHARED(name) [[maybe_unused]] static thread_local unsigned char *const name##_begins = name();
#else
#define CLADPY_SHARED_ARRAY(name, symbol, initialization)
#define CLADPY_UNNAMED_SHARED(name)
#endif
#endif

// What a launch asks for of the dynamic shared memory, and what there is behind it: nothing is to be stored there. Workers
// look at the next bytes only.
class DynamicShared {
public:
  explicit DynamicShared(std::size_t asked) : asked_(asked) {
    if (cladpy_dynamic_shared) begin_ = cladpy_dynamic_shared();
#if !defined(CLADPY_HOST_FIBERS)
    if (max_shared_bytes - asked_ > watched) end_ = asked_ + watched;
#endif
    // what is no number: who reads there will see it
    if (begin_) std::memset(begin_ + asked_, 0xff, end_ - asked_);
  }
  // The first byte beyond that has been stored to; or null.
  const unsigned char *spoilt() const {
    if (!begin_) return nullptr;
    const unsigned char *at = begin_ + asked_, *const end = begin_ + end_;
    if (at < end && *at == 0xff && !std::memcmp(at, at + 1, std::size_t(end - at) - 1)) return nullptr;
    while (at < end && *at == 0xff) ++at;
    return at < end ? at : nullptr;
  }
  std::size_t offset(const unsigned char *at) const { return std::size_t(at - begin_); }

private:
  static constexpr std::size_t watched = 1024;

  std::size_t asked_, end_ = max_shared_bytes;
  unsigned char *begin_ = nullptr;
};

// Addresses; nothing where they are not known.
struct SharedMemory {
  std::uintptr_t begin = 0, end = 0;
};

// Where a library has other variables for each thread, as host programs have, it is not known which memory is which.
CLADPY_HOST_HIDDEN inline bool nothing_else = true;

#if defined(__linux__)

// Named, so that the loader makes the storage before it is asked for.
CLADPY_HOST_HIDDEN inline thread_local volatile char of_this_library = 0;

inline int visit_library(dl_phdr_info *info, std::size_t, void *found) {
  const auto here = reinterpret_cast<std::uintptr_t>(&visit_library);
  const ElfW(Phdr) *storage = nullptr;
  bool mine = false;
  for (int k = 0; k < info->dlpi_phnum; ++k) {
    const ElfW(Phdr) &header = info->dlpi_phdr[k];
    const std::uintptr_t begin = info->dlpi_addr + header.p_vaddr;
    if (header.p_type == PT_LOAD && here >= begin && here < begin + header.p_memsz) mine = true;
    if (header.p_type == PT_TLS) storage = &header;
  }
  if (!mine || !storage || !info->dlpi_tls_data) return mine;
  auto *memory = static_cast<SharedMemory *>(found);
  // what has an initialiser comes first, and is not shared memory
  memory->begin = reinterpret_cast<std::uintptr_t>(info->dlpi_tls_data) + storage->p_filesz;
  memory->end = reinterpret_cast<std::uintptr_t>(info->dlpi_tls_data) + storage->p_memsz;
  return 1;
}

// It is thread-local storage, without initialisers, of the library that this code is in.
inline SharedMemory shared_memory() {
  SharedMemory found;
  of_this_library = 0;
  dl_iterate_phdr(&visit_library, &found);
  return found;
}

#else

inline SharedMemory shared_memory() { return {}; }

#endif

} // namespace host
} // namespace cladpy

#endif
