// Sums of elements that threads come to in any order, where other workers may come to them as well. Part of
// <cladpy/host.h>.
//
// An atomic addition waits for the line of the cache that another core has changed: where the elements of a table are
// added to all over, two workers take longer than one. So a worker counts what it adds to a page of memory, and where that
// is more than it takes to add a page up, it has sums of its own for the page from then on. They are added to the elements
// where the worker has run its part of the launch.
#ifndef CLADPY_HOST_SCATTERED_H
#define CLADPY_HOST_SCATTERED_H

#if !defined(CLADPY_HOST_FIBERS)

namespace cladpy {
namespace host {

template <class T> class Pages {
public:
  // To neighbouring elements, of which the first lies where so many of them may begin.
  template <int count> void add(T *cell, const T (&values)[count]) {
    const auto place = reinterpret_cast<std::uintptr_t>(cell);
    Page *page = &pages_[place / bytes % entries];
    if (page->number != place / bytes && page->sums) page = &pages_[other(place / bytes)];
    if (page->number != place / bytes) {
      if (page->sums) return add_at_once(cell, values);
      page->number = place / bytes;
      page->additions = 0;
    }
    if (!page->sums) {
      page->additions += count;
      if (page->additions < worth || !own(*page)) return add_at_once(cell, values);
    }
    T *const sums = page->sums + place % bytes / sizeof(T);
    for (int i = 0; i < count; ++i) sums[i] += values[i];
  }

  template <int count> static void add_at_once(T *cell, const T (&values)[count]) {
    for (int i = 0; i < count; i += 2) {
      if constexpr (count % 2 == 0)
        add_two(cell + i, values[i], values[i + 1]);
      else
        atomicAdd(cell + i, values[i]);
    }
  }

  // What nobody added to may lie outside of its array.
  void finish() {
    for (Page *page : owned_) {
      for (unsigned i = 0; i < length; i += 2) {
        T *const cell = reinterpret_cast<T *>(page->number * bytes) + i;
        if (page->sums[i] != T(0) || page->sums[i + 1] != T(0)) add_two(cell, page->sums[i], page->sums[i + 1]);
      }
      std::free(page->sums);
      *page = Page();
    }
    owned_.clear();
  }

private:
  static constexpr std::size_t bytes = 4096, entries = 4096, all_bytes = std::size_t(1) << 28; // of all workers
  static constexpr unsigned length = bytes / sizeof(T), worth = 2 * length;
  struct Page {
    std::uintptr_t number = 0;
    T *sums = nullptr; // null where they are added at once
    std::size_t additions = 0;
  };

  static std::size_t other(std::uintptr_t number) { return std::size_t(number * 0x9e3779b97f4a7c15ull >> 52); }

  bool own(Page &page) {
    if (owned_.size() >= most_) return false;
    page.sums = static_cast<T *>(std::aligned_alloc(64, bytes));
    if (!page.sums) return false;
    for (unsigned i = 0; i < length; ++i) ::new (static_cast<void *>(page.sums + i)) T(0);
    owned_.push_back(&page);
    return true;
  }

  std::vector<Page> pages_ = std::vector<Page>(entries);
  std::vector<Page *> owned_;
  std::size_t most_ = all_bytes / bytes / Workers::count();
};

template <class T> CLADPY_HOST_OWN Pages<T> *pages_of_worker = nullptr;

template <class T> inline void finish_pages() {
  if (pages_of_worker<T>) pages_of_worker<T>->finish();
}
template <class T> inline void leave_pages() {
  delete pages_of_worker<T>;
  pages_of_worker<T> = nullptr;
}

inline void end_part() {
  finish_pages<float>();
  finish_pages<double>();
}

// Adds to elements of which each is, as a rule, the one behind that before.
template <class T, int count> inline void add_scattered(T *const (&cells)[count], const T (&values)[count]) {
  bool neighbours = count == 1 || reinterpret_cast<std::uintptr_t>(cells[0]) % (count * sizeof(T)) == 0;
  for (int i = 1; i < count; ++i) neighbours = neighbours && cells[i] == cells[0] + i;
  if (!among_workers || !neighbours) {
    for (int i = 0; i < count; ++i) atomicAdd(cells[i], values[i]);
    return;
  }
  if (!pages_of_worker<T>) pages_of_worker<T> = new Pages<T>();
  pages_of_worker<T>->add(cells[0], values);
}

} // namespace host
} // namespace cladpy

#endif

#endif
