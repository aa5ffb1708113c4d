// Where the shared memory of kernels lies. Part of <cladpy/host.h>.
#ifndef CLADPY_HOST_SHARED_MEMORY_H
#define CLADPY_HOST_SHARED_MEMORY_H

#if defined(__linux__)
#include <link.h>
#endif

namespace cladpy {
namespace host {

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
