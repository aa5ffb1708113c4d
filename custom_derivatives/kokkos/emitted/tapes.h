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
