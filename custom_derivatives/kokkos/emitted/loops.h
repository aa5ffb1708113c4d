// What emitted loops are made of beside arithmetic. Emitted files have copies of what they use.

// Adds to memory that other iterations add to.
template <class T>
KOKKOS_INLINE_FUNCTION void atomic_add(T *to, T value) {
  Kokkos::atomic_add(to, value);
}

// What memory holds, which is zero afterwards.
template <class T>
KOKKOS_INLINE_FUNCTION T exchange(T *of) {
  return Kokkos::atomic_exchange(of, T(0));
}

template <class T>
KOKKOS_INLINE_FUNCTION T rsqrt(T x) {
  return T(1) / Kokkos::sqrt(x);
}

// A number that iterations have summed up is added to memory that they reach.
template <class T>
struct adding {
  T *to;
  T value;
  KOKKOS_INLINE_FUNCTION void operator()(long) const { *to += value; }
};

template <class Space, class T>
inline void add_total(T *to, T value) {
  Kokkos::parallel_for(Kokkos::RangePolicy<Space>(0, 1), adding<T>{to, value});
}

// Sums and products that compilers do not contract into multiply-adds: what decides a branch or an index must come out
// the same wherever it is evaluated.
template <class T>
KOKKOS_INLINE_FUNCTION T add_rn(T a, T b) {
  volatile T sum = a + b;
  return sum;
}

template <class T>
KOKKOS_INLINE_FUNCTION T sub_rn(T a, T b) {
  volatile T difference = a - b;
  return difference;
}

template <class T>
KOKKOS_INLINE_FUNCTION T mul_rn(T a, T b) {
  volatile T product = a * b;
  return product;
}
