// What the CUDA runtime has allocated on plain memory, and what has become of it. Part of <cladpy/host.h>.
//
// A block ends where a page begins that nobody may touch; when it is freed, none of its pages may be. So a kernel that
// goes beyond a block's end, or uses one that was freed, ends its launch with words (guards.h). Freed blocks are
// remembered until many others have been freed after them.
//
// What is no block is memory of the host, or of whoever calls the program: arrays that are lent to it may serve as
// either. Until someone says what is lent, any memory may be that.
#ifndef CLADPY_HOST_ALLOCATIONS_H
#define CLADPY_HOST_ALLOCATIONS_H

#include <sys/mman.h>
#include <unistd.h>

// An array of the caller's.
struct cladpy_lent {
  const char *first;
  unsigned long long bytes;
  const char *name;
};

namespace cladpy {
namespace host {

enum class MemoryKind : unsigned char { device, managed, pinned, registered, symbol, lent };

struct Allocation {
  const char *first = nullptr;
  std::size_t bytes = 0;
  MemoryKind kind = MemoryKind::device;
  bool freed = false;
  const char *name = ""; // the call that made it, or the caller's name for it
  unsigned long long number = 0;
  char *pages = nullptr; // with the one that guards it; none for memory that is not the runtime's own
  std::size_t mapped = 0;

  bool holds(const void *address) const {
    const char *at = static_cast<const char *>(address);
    if (pages) return at >= pages && at < pages + mapped;
    return at >= first && at < first + bytes;
  }
  // The end of a block counts too, as an address of nothing.
  std::size_t offset(const void *address) const { return std::size_t(static_cast<const char *>(address) - first); }
};

class Allocations {
public:
  // Memory that holds the bytes 0xff (NaN as floating numbers), so that reading it before it is written is seen.
  void *make(std::size_t bytes, MemoryKind kind, const char *name) {
    const std::size_t page = std::size_t(sysconf(_SC_PAGESIZE));
    if (bytes > SIZE_MAX / 2) return nullptr;
    const std::size_t inside = (bytes + page - 1) / page * page;
    const std::size_t front = is_checked ? page : 0, all = front + inside + page;
    void *memory = mmap(nullptr, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return nullptr;
#ifdef MADV_HUGEPAGE
    if (bytes >= large) madvise(memory, inside, MADV_HUGEPAGE); // page by page, the kernel takes longer than what fills it
#endif
    char *pages = static_cast<char *>(memory);
    char *end = pages + front + inside;
    const std::size_t step = alignment_of(bytes), taken = (bytes + step - 1) / step * step;
    char *first = begin_at_guards ? pages + front : end - taken;
    std::memset(first, filling, std::size_t(end - first));
    mprotect(end, page, PROT_NONE);
    if (front) mprotect(pages, front, PROT_NONE);
    Allocation made;
    made.first = first, made.bytes = bytes, made.kind = kind, made.name = name;
    made.pages = pages, made.mapped = all;
    Lock lock(*this);
    made.number = ++made_;
    if (!insert(made)) {
      munmap(memory, all);
      return nullptr;
    }
    live_bytes_ += bytes;
    live_ += 1;
    if (live_bytes_ > peak_) peak_ = live_bytes_;
    return first;
  }

  // Memory that is there already: a variable, or host memory that is registered.
  void know(const void *first, std::size_t bytes, MemoryKind kind, const char *name) {
    Allocation known;
    known.first = static_cast<const char *>(first), known.bytes = bytes, known.kind = kind, known.name = name;
    Lock lock(*this);
    if (Allocation *found = at(first)) {
      if (found->pages) return;
      erase(found);
    }
    insert(known);
  }
  bool forget(const void *first) {
    Lock lock(*this);
    Allocation *found = at(first);
    if (!found || found->pages || found->first != first) return false;
    erase(found);
    return true;
  }

  // `text` gets what is wrong with freeing this; empty where it was freed. Pinned memory has a call of its own.
  void free(const void *pointer, bool pinned, char *text, std::size_t size) {
    text[0] = 0;
    Lock lock(*this);
    Allocation *found = at(pointer);
    if (found && found->kind == MemoryKind::lent && !found->freed && found->first == pointer) {
      found->freed = true; // the caller's own: it is not ours to free, and not to be used any more
      return;
    }
    if (!found && !knows_all_) return; // whoever made it may free it
    const bool fits = found && pinned == (found->kind == MemoryKind::pinned) &&
                      (pinned || found->kind == MemoryKind::device || found->kind == MemoryKind::managed);
    if (!found) {
      std::snprintf(text, size, "%p is no memory of the CUDA runtime", pointer);
    } else if (found->freed) {
      std::snprintf(text, size, "%p has been freed before (", pointer);
      describe(*found, text, size);
    } else if (!fits) {
      std::snprintf(text, size, "%p is to be freed otherwise (", pointer);
      describe(*found, text, size);
    } else if (found->first != pointer) {
      std::snprintf(text, size, "%p lies %zu bytes into a block (", pointer, found->offset(pointer));
      describe(*found, text, size);
    } else {
      const char *end = found->pages + found->mapped - std::size_t(sysconf(_SC_PAGESIZE));
      for (const char *at = found->first + found->bytes; at < end && !text[0]; ++at) {
        if (*at == char(filling)) continue;
        std::snprintf(text, size, "something was stored %zu bytes beyond the end of a block (",
                      std::size_t(at - found->first - found->bytes));
        describe(*found, text, size);
      }
      retire(*found);
    }
  }

  enum class Side { host, device, any };

  // `text` gets what is wrong with using these bytes; empty where nothing is.
  void check(const char *what, const void *pointer, std::size_t bytes, Side side, char *text, std::size_t size) {
    text[0] = 0;
    Lock lock(*this);
    const Allocation *found = at(pointer);
    if (!found) {
      if (side == Side::device && knows_all_)
        std::snprintf(text, size, "the %s %p is memory of the host where memory of the device belongs", what, pointer);
      return;
    }
    const std::size_t offset = found->offset(pointer);
    if (found->freed) {
      std::snprintf(text, size, "the %s %p has been freed (", what, pointer);
    } else if (static_cast<const char *>(pointer) < found->first || offset > found->bytes ||
               bytes > found->bytes - offset) {
      std::snprintf(text, size, "%zu bytes from byte %lld on are used of the %s %p, which ends before (", bytes,
                    static_cast<long long>(static_cast<const char *>(pointer) - found->first), what, pointer);
    } else if (side == Side::host && (found->kind == MemoryKind::device || found->kind == MemoryKind::symbol)) {
      std::snprintf(text, size, "the %s %p is memory of the device where memory of the host belongs (", what, pointer);
    } else {
      return;
    }
    describe(*found, text, size);
  }

  // What a fault at this address says about a block; false where it is in none.
  bool explain(const void *address, char *text, std::size_t size) {
    Lock lock(*this);
    const Allocation *found = at(address);
    if (!found || !found->pages) return false;
    if (found->freed) std::snprintf(text, size, "memory that has been freed is used (");
    else
      std::snprintf(text, size, "byte %lld of a block is used, beyond its %s (",
                    static_cast<long long>(static_cast<const char *>(address) - found->first),
                    address < found->first ? "beginning" : "end");
    describe(*found, text, size);
    return true;
  }

  // The block or known memory that holds an address.
  bool find(const void *address, Allocation *found) {
    Lock lock(*this);
    const Allocation *there = at(address);
    if (there) *found = *there;
    return there != nullptr;
  }

  // From now on these arrays, and nothing else that is not the runtime's, may serve as memory of the device. Without a
  // list anything may.
  void lend(const cladpy_lent *list, std::size_t count) {
    Lock lock(*this);
    for (std::size_t k = count_; k > 0; --k)
      if (items_[k - 1].kind == MemoryKind::lent) erase(&items_[k - 1]);
    knows_all_ = list != nullptr;
    for (std::size_t k = 0; k < count; ++k) {
      Allocation lent;
      lent.first = list[k].first, lent.bytes = std::size_t(list[k].bytes), lent.name = list[k].name;
      lent.kind = MemoryKind::lent;
      if (lent.bytes && !at(lent.first)) insert(lent);
    }
  }

  bool any() const { return count_ != 0; }
  unsigned long long live_bytes() const { return live_bytes_; }
  unsigned long long live() const { return live_; }
  unsigned long long peak() const { return peak_; }
  void measure() { peak_ = live_bytes_; }

#if defined(CLADPY_FRAMES)
  static constexpr bool is_checked = true;
#else
  static constexpr bool is_checked = false;
#endif
  // Whether blocks begin where a page ends that nobody may touch, where they are checked.
  bool begin_at_guards = false;

private:
  static constexpr std::size_t alignment = 256;
  // To the byte where blocks are checked: what they are made of lies at multiples of its size.
  static constexpr std::size_t alignment_of(std::size_t bytes) {
    const std::size_t most = bytes & (~bytes + 1);
    return is_checked && most && most < alignment ? most : alignment;
  }
  static constexpr int filling = 0xff;
  static constexpr std::size_t remembered = 1024; // freed blocks
  static constexpr std::size_t large = std::size_t(4) << 20;

  struct Lock {
    explicit Lock(Allocations &of) : mutex(&of.mutex_) { pthread_mutex_lock(mutex); }
    ~Lock() { pthread_mutex_unlock(mutex); }
    pthread_mutex_t *mutex;
  };

  // The position of the first item that begins behind the address.
  std::size_t behind(const void *address) const {
    std::size_t low = 0, high = count_;
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      const char *begin = items_[middle].pages ? items_[middle].pages : items_[middle].first;
      if (begin <= static_cast<const char *>(address)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  Allocation *at(const void *address) const {
    const std::size_t next = behind(address);
    return next && items_[next - 1].holds(address) ? &items_[next - 1] : nullptr;
  }

  bool insert(const Allocation &item) {
    if (count_ == capacity_) {
      const std::size_t larger = capacity_ ? 2 * capacity_ : 64;
      void *memory = std::realloc(static_cast<void *>(items_), larger * sizeof(Allocation));
      if (!memory) return false;
      items_ = static_cast<Allocation *>(memory);
      capacity_ = larger;
    }
    const std::size_t place = behind(item.pages ? item.pages : item.first);
    std::memmove(static_cast<void *>(items_ + place + 1), items_ + place, (count_ - place) * sizeof(Allocation));
    items_[place] = item;
    count_ += 1;
    return true;
  }

  void erase(Allocation *item) {
    std::memmove(static_cast<void *>(item), item + 1, std::size_t(items_ + count_ - item - 1) * sizeof(Allocation));
    count_ -= 1;
  }

  void retire(Allocation &block) {
    block.freed = true;
    live_bytes_ -= block.bytes;
    live_ -= 1;
    char *pages = block.pages;
    // no memory is left behind it, only addresses
    mmap(pages, block.mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    char *&oldest = retired_[retired_count_++ % remembered];
    if (oldest) {
      Allocation *gone = at(oldest);
      munmap(gone->pages, gone->mapped);
      erase(gone);
    }
    oldest = pages;
  }

  static void describe(const Allocation &block, char *text, std::size_t size) {
    const std::size_t used = std::strlen(text);
    if (block.kind == MemoryKind::lent)
      std::snprintf(text + used, size - used, "the caller's '%s' of %zu bytes)", block.name, block.bytes);
    else if (block.number)
      std::snprintf(text + used, size - used, "%zu bytes from %s, allocation %llu)", block.bytes, block.name,
                    block.number);
    else std::snprintf(text + used, size - used, "%zu bytes from %s)", block.bytes, block.name);
  }

  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  Allocation *items_ = nullptr; // by address
  std::size_t count_ = 0, capacity_ = 0, retired_count_ = 0;
  char *retired_[remembered] = {};
  unsigned long long made_ = 0, live_ = 0, live_bytes_ = 0, peak_ = 0;
  bool knows_all_ = false;
};

CLADPY_HOST_HIDDEN inline Allocations allocations;

} // namespace host
} // namespace cladpy

extern "C" {
// The bytes that are allocated now, and the most that were since cladpy_host_measure.
__attribute__((used, visibility("default"))) inline unsigned long long cladpy_host_allocated() {
  return cladpy::host::allocations.live_bytes();
}
__attribute__((used, visibility("default"))) inline unsigned long long cladpy_host_peak() {
  return cladpy::host::allocations.peak();
}
__attribute__((used, visibility("default"))) inline void cladpy_host_measure() { cladpy::host::allocations.measure(); }
// Whether blocks begin behind what guards them from now on, in a library that is checked; else they end there.
__attribute__((used, visibility("default"))) inline void cladpy_host_begin_at_guards(int begin) {
  cladpy::host::allocations.begin_at_guards = begin != 0;
}
// The caller's arrays, for the calls from now on; null: any memory may be one.
__attribute__((used, visibility("default"))) inline void cladpy_host_lend(const cladpy_lent *list,
                                                                           unsigned long long count) {
  cladpy::host::allocations.lend(list, static_cast<std::size_t>(count));
}
}

#endif
