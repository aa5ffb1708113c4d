// Atomic functions: plain operations where one thread runs at a time, so for as long as no other worker runs blocks. Part of
// <cladpy/host.h>.
#ifndef CLADPY_HOST_ATOMICS_H
#define CLADPY_HOST_ATOMICS_H

namespace cladpy {
namespace host {

template <std::size_t size> struct word;
template <> struct word<2> {
  using type = std::uint16_t;
};
template <> struct word<4> {
  using type = std::uint32_t;
};
template <> struct word<8> {
  using type = std::uint64_t;
};
// How a number is replaced: integers may be the bits of another. (Of a type that depends on T, GCC forgets the attribute
// where it is that of a typedef.)
template <class T, bool = std::is_integral<T>::value> struct place {
  T of;
};
template <class T> struct __attribute__((may_alias)) place<T, true> {
  T of;
};

// Replaces what is there by what is made of it; what it was. A thread waits for others with numbers that are no sums of
// floating-point numbers: those let others run.
template <class T, class Make> CLADPY_HOST_UNWATCHED inline T replace(T *address, Make make, [[maybe_unused]] bool counts) {
  note_atomic(address, sizeof(T));
#if defined(CLADPY_HOST_FIBERS)
  scheduler.count_atomic();
#else
  if (counts) scheduler.count_atomic();
  if (__builtin_expect(among_workers, false)) {
    using Word = typename word<sizeof(T)>::type;
    Word *const bits = reinterpret_cast<Word *>(address);
    Word seen = __atomic_load_n(bits, __ATOMIC_RELAXED), made;
    T old;
    do {
      std::memcpy(static_cast<void *>(&old), &seen, sizeof old);
      const T value = make(old);
      std::memcpy(&made, &value, sizeof made);
    } while (!__atomic_compare_exchange_n(bits, &seen, made, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return old;
  }
#endif
  auto *const there = reinterpret_cast<place<T> *>(address);
  const T old = there->of;
  there->of = make(old);
  return old;
}

} // namespace host
} // namespace cladpy

// Defines name, name_block and name_system: stores `update`, which may use `old` and `value`, and returns `old`.
#define CLADPY_HOST_ATOMIC_ONE(name, T, update)                                                                        \
  CLADPY_HOST_UNWATCHED inline T name(T *address, T value) {                                                           \
    return cladpy::host::replace(                                                                                      \
        address, [value]([[maybe_unused]] T old) CLADPY_HOST_UNWATCHED { return static_cast<T>(update); },             \
        std::is_integral<T>::value);                                                                                   \
  }
#define CLADPY_HOST_ATOMIC(name, T, update)                                                                            \
  CLADPY_HOST_ATOMIC_ONE(name, T, update)                                                                              \
  CLADPY_HOST_ATOMIC_ONE(name##_block, T, update)                                                                      \
  CLADPY_HOST_ATOMIC_ONE(name##_system, T, update)

// Signed sums wrap around.
CLADPY_HOST_ATOMIC(atomicAdd, int, static_cast<unsigned>(old) + static_cast<unsigned>(value))
CLADPY_HOST_ATOMIC(atomicAdd, unsigned int, old + value)
CLADPY_HOST_ATOMIC(atomicAdd, unsigned long long int, old + value)
CLADPY_HOST_ATOMIC(atomicAdd, float, old + value)
CLADPY_HOST_ATOMIC(atomicAdd, double, old + value)
CLADPY_HOST_ATOMIC(atomicSub, int, static_cast<unsigned>(old) - static_cast<unsigned>(value))
CLADPY_HOST_ATOMIC(atomicSub, unsigned int, old - value)
CLADPY_HOST_ATOMIC(atomicExch, int, value)
CLADPY_HOST_ATOMIC(atomicExch, unsigned int, value)
CLADPY_HOST_ATOMIC(atomicExch, unsigned long long int, value)
CLADPY_HOST_ATOMIC(atomicExch, float, value)
CLADPY_HOST_ATOMIC(atomicMin, int, value < old ? value : old)
CLADPY_HOST_ATOMIC(atomicMin, unsigned int, value < old ? value : old)
CLADPY_HOST_ATOMIC(atomicMin, long long int, value < old ? value : old)
CLADPY_HOST_ATOMIC(atomicMin, unsigned long long int, value < old ? value : old)
CLADPY_HOST_ATOMIC(atomicMax, int, value > old ? value : old)
CLADPY_HOST_ATOMIC(atomicMax, unsigned int, value > old ? value : old)
CLADPY_HOST_ATOMIC(atomicMax, long long int, value > old ? value : old)
CLADPY_HOST_ATOMIC(atomicMax, unsigned long long int, value > old ? value : old)
CLADPY_HOST_ATOMIC(atomicInc, unsigned int, old >= value ? 0 : old + 1)
CLADPY_HOST_ATOMIC(atomicDec, unsigned int, old == 0 || old > value ? value : old - 1)
CLADPY_HOST_ATOMIC(atomicAnd, int, old & value)
CLADPY_HOST_ATOMIC(atomicAnd, unsigned int, old & value)
CLADPY_HOST_ATOMIC(atomicAnd, unsigned long long int, old & value)
CLADPY_HOST_ATOMIC(atomicOr, int, old | value)
CLADPY_HOST_ATOMIC(atomicOr, unsigned int, old | value)
CLADPY_HOST_ATOMIC(atomicOr, unsigned long long int, old | value)
CLADPY_HOST_ATOMIC(atomicXor, int, old ^ value)
CLADPY_HOST_ATOMIC(atomicXor, unsigned int, old ^ value)
CLADPY_HOST_ATOMIC(atomicXor, unsigned long long int, old ^ value)
#undef CLADPY_HOST_ATOMIC
#undef CLADPY_HOST_ATOMIC_ONE

// Vectors are added number by number.
#define CLADPY_HOST_ATOMIC_VECTORS(name)                                                                               \
  inline float2 name(float2 *address, float2 value) {                                                                  \
    return {name(&address->x, value.x), name(&address->y, value.y)};                                                   \
  }                                                                                                                    \
  inline float4 name(float4 *address, float4 value) {                                                                  \
    return {name(&address->x, value.x), name(&address->y, value.y), name(&address->z, value.z),                        \
            name(&address->w, value.w)};                                                                               \
  }
CLADPY_HOST_ATOMIC_VECTORS(atomicAdd)
CLADPY_HOST_ATOMIC_VECTORS(atomicAdd_block)
CLADPY_HOST_ATOMIC_VECTORS(atomicAdd_system)
#undef CLADPY_HOST_ATOMIC_VECTORS

#define CLADPY_HOST_CAS_ONE(name, T)                                                                                   \
  CLADPY_HOST_UNWATCHED inline T name(T *address, T compare, T value) {                                                \
    return cladpy::host::replace(                                                                                      \
        address, [compare, value](T old) CLADPY_HOST_UNWATCHED { return old == compare ? value : old; }, true);        \
  }
#define CLADPY_HOST_CAS(T)                                                                                             \
  CLADPY_HOST_CAS_ONE(atomicCAS, T)                                                                                    \
  CLADPY_HOST_CAS_ONE(atomicCAS_block, T)                                                                              \
  CLADPY_HOST_CAS_ONE(atomicCAS_system, T)
CLADPY_HOST_CAS(int)
CLADPY_HOST_CAS(unsigned int)
CLADPY_HOST_CAS(unsigned long long int)
CLADPY_HOST_CAS(unsigned short int)
#undef CLADPY_HOST_CAS
#undef CLADPY_HOST_CAS_ONE

// Loads and stores with cache hints.
template <class T> T __ldg(const T *address) { return *address; }
template <class T> T __ldca(const T *address) { return *address; }
template <class T> T __ldcg(const T *address) { return *address; }
template <class T> T __ldcs(const T *address) { return *address; }
template <class T> T __ldlu(const T *address) { return *address; }
template <class T> T __ldcv(const T *address) { return *address; }
template <class T> void __stwb(T *address, T value) { *address = value; }
template <class T> void __stcg(T *address, T value) { *address = value; }
template <class T> void __stcs(T *address, T value) { *address = value; }
template <class T> void __stwt(T *address, T value) { *address = value; }
#define CLADPY_ATOMIC_ACCESS inline
#include <cladpy/atomic_accesses.h>

#endif
