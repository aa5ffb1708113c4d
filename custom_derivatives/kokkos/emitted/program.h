// The state of a gradient of host code: what its steps overwrite, and the adjoints of what they allocate. Emitted files
// have a copy.

// Adds numbers to others, and zeroes them.
template <class T>
struct adding_cleared {
  T *to, *from;
  KOKKOS_INLINE_FUNCTION void operator()(long i) const {
    to[i] += from[i];
    from[i] = T(0);
  }
};

// That an adjoint has its view's extents and strides: elements of both are found by the view's.
template <class View, class Adjoint>
void laid_out_alike(const char *name, const View &view, const Adjoint &adjoint) {
  for (int r = 0; r < int(View::rank); ++r)
    if (view.extent(r) != adjoint.extent(r) || (view.extent(r) > 1 && view.stride(r) != adjoint.stride(r)))
      throw std::invalid_argument(std::string(name) + " has other extents or strides than what it is the adjoint of");
}

class program {
 public:
  using space = Kokkos::DefaultExecutionSpace::memory_space;
  static constexpr bool in_reach = Kokkos::SpaceAccessibility<Kokkos::HostSpace, space>::accessible;

  // `waits` says that host code works on the memory of loops: then these are waited for.
  explicit program(bool waits = false) : waits_(waits) {}
  program(const program &) = delete;
  program &operator=(const program &) = delete;
  ~program() {
    Kokkos::fence();
    for (auto &entry : memory_) {
      give(entry.second.adjoint, entry.second.on_host);
      if (!entry.second.of_caller) give(entry.first, entry.second.on_host);
    }
    for (const auto &group : groups_)
      for (const copy_of &c : group) give(c.kept, c.on_host);
  }

  // Memory of the caller's, which is in the end as it was.
  template <class View>
  void callers(const View &view) {
    static_assert(std::is_same_v<typename View::memory_space, space>,
                  "a view is given that is not in the memory space of Kokkos::DefaultExecutionSpace, where its adjoint would be "
                  "added to: give the function one that is there, and deep_copy before and after");
    memory_.insert({bytes_at(view.data()), allocation{view.span() * sizeof(typename View::value_type), nullptr, false, true, true}});
  }
  template <class T>
  T *managed(std::size_t bytes) {
    return static_cast<T *>(acquire(bytes, false));
  }
  template <class T>
  T *device(std::size_t bytes) {
    return static_cast<T *>(acquire(bytes, false));
  }
  template <class T>
  T *host(std::size_t bytes, bool zeroed = false) {
    void *memory = acquire(bytes, true);
    if (zeroed && bytes) std::memset(memory, 0, bytes);
    return static_cast<T *>(memory);
  }
  // The adjoint of an allocation: zero at first, and the same for all who ask.
  template <class A, class T>
  A *adjoint(T *memory) {
    if (!memory) return nullptr;
    char *base = nullptr;
    allocation &a = find(memory, &base);
    if (!a.adjoint) {
      const std::size_t bytes = a.bytes / sizeof(T) * sizeof(A);
      a.adjoint = take_memory(bytes, a.on_host);
      if (a.on_host) host_adjoints_[a.adjoint] = bytes;
      zero(a.adjoint, bytes, a.on_host);
    }
    return reinterpret_cast<A *>(a.adjoint) + (memory - reinterpret_cast<T *>(base));
  }
  template <class T>
  void release(T *memory) {
    const auto found = memory_.find(bytes_at(memory));
    if (found == memory_.end()) return;
    Kokkos::fence();
    host_adjoints_.erase(found->second.adjoint);
    give(found->second.adjoint, found->second.on_host);
    give(found->first, found->second.on_host);
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

  // A pullback will compute with what memory holds now: who overwrites it saves it.
  void will_read(std::initializer_list<const void *> pointers) {
    for (const void *pointer : pointers)
      if (pointer) find(pointer).needed = true;
  }
  void save(std::initializer_list<const void *> pointers) {
    groups_.emplace_back();
    for (const void *pointer : pointers) {
      if (!pointer) continue;
      char *base = nullptr;
      allocation &a = find(pointer, &base);
      if (!a.needed || !a.bytes) continue;
      groups_.back().push_back({base, take_memory(a.bytes, a.on_host), a.bytes, a.on_host});
      move(groups_.back().back().kept, a.on_host, base, a.on_host, a.bytes);
      a.needed = false;
    }
  }
  // What the last step that has not been undone overwrote is put back.
  void restore() {
    for (const copy_of &c : groups_.back()) {
      move(c.at, c.on_host, c.kept, c.on_host, c.bytes);
      give(c.kept, c.on_host);
    }
    groups_.pop_back();
  }
  // What a loop writes must be in other allocations than all else that it is given, where that is chosen at run time.
  void apart(const char *loop, std::size_t written, std::initializer_list<const void *> pointers) {
    std::vector<const char *> seen;
    for (const void *pointer : pointers) {
      char *base = nullptr;
      if (pointer) find(pointer, &base);
      for (std::size_t i = 0; base && i < seen.size() && i < written; ++i)
        if (seen[i] == base) throw std::runtime_error(std::string(loop) + " is given the same memory twice");
      seen.push_back(base);
    }
  }

  void copy(void *to, const void *from, std::size_t bytes) {
    save({to});
    if (bytes) move(bytes_at(to), find(to).on_host, from, find(from).on_host, bytes);
  }
  void fill(void *memory, int byte, std::size_t bytes) {
    save({memory});
    if (!bytes) return;
    const bool on_host = find(memory).on_host;
    if (on_host || in_reach) {
      Kokkos::fence();
      std::memset(memory, byte, bytes);
    } else {
      Kokkos::deep_copy(Kokkos::View<char *, space, Kokkos::MemoryUnmanaged>(bytes_at(memory), bytes), static_cast<char>(byte));
    }
  }
  template <class T>
  void fetch(T *number, const void *from) {
    move(bytes_at(number), true, from, find(from).on_host, sizeof *number);
  }
  template <class T>
  void put(void *to, T number) {
    save({to});
    move(bytes_at(to), find(to).on_host, &number, true, sizeof number);
  }

  template <class T>
  void copy_pullback(void *to, void *from, std::size_t count) {
    T *const d_to = static_cast<T *>(to), *const d_from = static_cast<T *>(from);
    const bool to_host = holds_on_host(to), from_host = holds_on_host(from);
    if (in_reach || (to_host && from_host)) {
      Kokkos::fence();
      for (std::size_t i = 0; i < count; ++i) adding_cleared<T>{d_from, d_to}(static_cast<long>(i));
    } else if (to_host || from_host) {
      const std::size_t bytes = count * sizeof(T);
      std::vector<T> sum(count), more(count);
      move(bytes_at(sum.data()), true, from, from_host, bytes);
      move(bytes_at(more.data()), true, to, to_host, bytes);
      for (std::size_t i = 0; i < count; ++i) sum[i] += more[i];
      move(bytes_at(from), from_host, sum.data(), true, bytes);
      zero(bytes_at(to), bytes, to_host);
    } else {
      Kokkos::parallel_for(Kokkos::RangePolicy<Kokkos::DefaultExecutionSpace>(0, count), adding_cleared<T>{d_from, d_to});
    }
  }
  template <class T>
  void copy_objects_pullback(void *to, void *from, std::size_t bytes) {
    copy_pullback<T>(to, from, bytes / sizeof(T));
  }
  template <class T>
  void clear(void *memory, std::size_t count) {
    zero(bytes_at(memory), count * sizeof(T), holds_on_host(memory));
  }
  template <class T, class X>
  void add(T *memory, X value) {
    T sum = T(0);
    const bool on_host = holds_on_host(memory);
    move(bytes_at(&sum), true, memory, on_host, sizeof sum);
    sum += value;
    move(bytes_at(memory), on_host, &sum, true, sizeof sum);
  }
  template <class T>
  void take(T *number, T *memory) {
    const bool on_host = holds_on_host(memory);
    move(bytes_at(number), true, memory, on_host, sizeof *number);
    zero(bytes_at(memory), sizeof *number, on_host);
  }

  // Where a loop adds to the adjoint of a number of the host's, or of several.
  template <class T>
  T *number(T *of, std::size_t count = 1) {
    if (in_reach) return of;
    const std::size_t bytes = count * sizeof(T);
    numbers_.push_back({bytes_at(of), take_memory(bytes, false), bytes, false});
    move(numbers_.back().kept, false, of, true, bytes);
    return reinterpret_cast<T *>(numbers_.back().kept);
  }
  void collect() {
    Kokkos::fence();
    for (const copy_of &n : numbers_) {
      move(n.at, true, n.kept, false, n.bytes);
      give(n.kept, false);
    }
    numbers_.clear();
  }
  void launched() {
    if (waits_) Kokkos::fence();
  }

 private:
  struct allocation {
    std::size_t bytes;
    char *adjoint;
    bool on_host, needed, of_caller;
  };
  struct copy_of {
    char *at, *kept;
    std::size_t bytes;
    bool on_host;
  };

  static char *bytes_at(const void *memory) { return static_cast<char *>(const_cast<void *>(memory)); }
  static char *take_memory(std::size_t bytes, bool on_host) {
    void *const memory = on_host ? std::malloc(bytes + 1) : Kokkos::kokkos_malloc<space>(bytes + 1);
    if (!memory) throw std::bad_alloc();
    return static_cast<char *>(memory);
  }
  static void give(void *memory, bool on_host) {
    if (!memory) return;
    if (on_host)
      std::free(memory);
    else
      Kokkos::kokkos_free<space>(memory);
  }
  void *acquire(std::size_t bytes, bool on_host) {
    char *const memory = take_memory(bytes, on_host);
    memory_.insert({memory, allocation{bytes, nullptr, on_host, false, false}});
    return memory;
  }
  // The allocation that a pointer leads into.
  allocation &find(const void *pointer, char **base = nullptr) {
    auto next = memory_.upper_bound(bytes_at(pointer));
    if (next == memory_.begin()) throw std::runtime_error("memory that no view of the function's holds");
    --next;
    if (bytes_at(pointer) > next->first + next->second.bytes) throw std::runtime_error("memory that no view of the function's holds");
    if (base) *base = next->first;
    return next->second;
  }
  // Whether adjoints are those of memory on the host; all others are where loops run.
  bool holds_on_host(const void *adjoint) const {
    auto next = host_adjoints_.upper_bound(bytes_at(adjoint));
    return next != host_adjoints_.begin() && bytes_at(adjoint) <= std::prev(next)->first + std::prev(next)->second;
  }
  static void zero(char *memory, std::size_t bytes, bool on_host) {
    if (!bytes) return;
    if (on_host || in_reach) {
      Kokkos::fence();
      std::memset(memory, 0, bytes);
    } else {
      Kokkos::deep_copy(Kokkos::View<char *, space, Kokkos::MemoryUnmanaged>(memory, bytes), char(0));
    }
  }
  static void move(char *to, bool to_host, const void *from, bool from_host, std::size_t bytes) {
    using there = Kokkos::View<char *, space, Kokkos::MemoryUnmanaged>;
    using here = Kokkos::View<char *, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
    if (in_reach || (to_host && from_host)) {
      Kokkos::fence();
      std::memmove(to, from, bytes);
    } else if (to_host) {
      Kokkos::deep_copy(here(to, bytes), there(bytes_at(from), bytes));
    } else if (from_host) {
      Kokkos::deep_copy(there(to, bytes), here(bytes_at(from), bytes));
    } else {
      Kokkos::deep_copy(there(to, bytes), there(bytes_at(from), bytes));
    }
  }

  bool waits_;
  std::map<char *, allocation> memory_;
  std::map<char *, std::size_t> host_adjoints_;
  std::vector<std::vector<copy_of>> groups_;
  std::vector<copy_of> numbers_;
  std::vector<void *> kept_;
};
