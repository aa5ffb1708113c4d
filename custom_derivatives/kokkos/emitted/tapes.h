// What a gradient keeps of steps that it goes back through. Emitted files have copies of what they use.

template <class T>
KOKKOS_INLINE_FUNCTION unsigned long long to_slot(T value) {
  union {
    T value;
    unsigned long long slot;
  } both;
  both.slot = 0;
  both.value = value;
  return both.slot;
}

template <class T>
KOKKOS_INLINE_FUNCTION T from_slot(unsigned long long slot) {
  union {
    unsigned long long slot;
    T value;
  } both;
  both.slot = slot;
  return both.value;
}

template <int Slots>
class local_tape {
 public:
  template <class T>
  KOKKOS_INLINE_FUNCTION void push(T value) {
    slots_[top_++] = to_slot(value);
  }
  template <class T>
  KOKKOS_INLINE_FUNCTION T pop() {
    return from_slot<T>(slots_[--top_]);
  }

 private:
  unsigned long long slots_[Slots];
  int top_ = 0;
};

// Where the slots of iterations lie: so far from one iteration to the next, and from one slot to the next.
struct slots_of_tapes {
  unsigned long long *first;
  long iteration, slot;
};

// Memory for what iterations of a loop keep, each at most so many slots: for some of them at a time, if it were too much.
template <class Space>
class memory_of_tapes {
 public:
  using space = typename Space::memory_space;
  static constexpr bool on_host = Kokkos::SpaceAccessibility<Space, Kokkos::HostSpace>::accessible;
  static constexpr long most_slots = 1L << 25;

  // `each` is how many iterations there are for a step of the index whose steps may be taken apart.
  memory_of_tapes(long slots, long steps, long each) : slots_(slots > 0 ? slots : 1), each_(each > 0 ? each : 1) {
    const long fitting = most_slots / (slots_ * each_);
    steps_ = fitting < 1 ? 1 : fitting < steps ? fitting : steps > 0 ? steps : 1;
    memory_ = static_cast<unsigned long long *>(Kokkos::kokkos_malloc<space>(sizeof(unsigned long long) * slots_ * each_ * steps_));
  }
  memory_of_tapes(const memory_of_tapes &) = delete;
  memory_of_tapes &operator=(const memory_of_tapes &) = delete;
  ~memory_of_tapes() {
    Kokkos::fence();
    Kokkos::kokkos_free<space>(memory_);
  }
  long end_of(long begin, long count) const { return count - begin < steps_ ? count : begin + steps_; }
  // On a device neighbours' slots are side by side, on the host those of an iteration.
  slots_of_tapes slots() const {
    return on_host ? slots_of_tapes{memory_, slots_, 1} : slots_of_tapes{memory_, 1, each_ * steps_};
  }

 private:
  long slots_, each_, steps_;
  unsigned long long *memory_;
};

class iteration_tape {
 public:
  KOKKOS_INLINE_FUNCTION iteration_tape(const slots_of_tapes &all, long iteration) : top_(all.first + iteration * all.iteration), step_(all.slot) {}
  template <class T>
  KOKKOS_INLINE_FUNCTION void push(T value) {
    *top_ = to_slot(value);
    top_ += step_;
  }
  template <class T>
  KOKKOS_INLINE_FUNCTION void push_if(bool is, T value) {
    if (is) *top_ = to_slot(value);
    top_ += step_;
  }
  template <class T>
  KOKKOS_INLINE_FUNCTION T pop() {
    top_ -= step_;
    return from_slot<T>(*top_);
  }
  template <class T>
  KOKKOS_INLINE_FUNCTION T pop_if(bool is) {
    top_ -= step_;
    return is ? from_slot<T>(*top_) : T();
  }

 private:
  unsigned long long *top_;
  long step_;
};

class growing_tape {
 public:
  template <class T>
  void push(T value) {
    slots_.push_back(to_slot(value));
  }
  template <class T>
  void push_if(bool is, T value) {
    push(is ? value : T());
  }
  template <class T>
  T pop() {
    const T value = from_slot<T>(slots_.back());
    slots_.pop_back();
    return value;
  }
  template <class T>
  T pop_if(bool is) {
    const T value = pop<T>();
    return is ? value : T();
  }

 private:
  std::vector<unsigned long long> slots_;
};
