// Spaces, layouts and memory traits: names that the types of views and policies are made of.
#pragma once

#include <cstddef>
#include <cstdint>

namespace Kokkos {

// Extents, and for LayoutStride strides beside them. Of a layout that a program makes this is kept.
struct LayoutLeft {
  std::size_t dimension[8] = {};
  LayoutLeft() = default;
  template <class... N>
  explicit LayoutLeft(std::size_t first, N... n) : dimension{first, std::size_t(n)...} {}
};
struct LayoutRight {
  std::size_t dimension[8] = {};
  LayoutRight() = default;
  template <class... N>
  explicit LayoutRight(std::size_t first, N... n) : dimension{first, std::size_t(n)...} {}
};
struct LayoutStride {
  std::size_t dimension[8] = {}, stride[8] = {};
  LayoutStride() = default;
  template <class... N>
  explicit LayoutStride(std::size_t extent, std::size_t step, N... n) { take(0, extent, step, n...); }

 private:
  void take(int) {}
  template <class... N>
  void take(int k, std::size_t extent, std::size_t step, N... n) {
    dimension[k] = extent, stride[k] = step;
    take(k + 1, n...);
  }
};

enum MemoryTraitsFlags { Unmanaged = 0x01, RandomAccess = 0x02, Atomic = 0x04, Restrict = 0x08, Aligned = 0x10 };
template <unsigned flags>
struct MemoryTraits {};
using MemoryUnmanaged = MemoryTraits<Unmanaged>;
using MemoryManaged = MemoryTraits<0>;
using MemoryRandomAccess = MemoryTraits<Unmanaged | RandomAccess>;

struct HostSpace {
  using memory_space = HostSpace;
};
// What a program names by what it is for. The compiler has them as other names of one backend's.
template <class Execution>
struct ScratchMemorySpace {
  using memory_space = ScratchMemorySpace;
  using execution_space = Execution;
};
#define CLADPY_KOKKOS_SPACE(name)      \
  struct name {                        \
    using execution_space = name;      \
    using memory_space = name##_space; \
    using scratch_memory_space = ScratchMemorySpace<name>; \
    using array_layout = void;         \
    using size_type = std::size_t;     \
    void fence() const {}              \
    void fence(const char *) const {}  \
  };
struct DefaultExecutionSpace_space {
  using memory_space = DefaultExecutionSpace_space;
};
using Serial_space = HostSpace;
using OpenMP_space = HostSpace;
using Threads_space = HostSpace;
using DefaultHostExecutionSpace_space = HostSpace;
CLADPY_KOKKOS_SPACE(DefaultExecutionSpace)
CLADPY_KOKKOS_SPACE(DefaultHostExecutionSpace)
CLADPY_KOKKOS_SPACE(Serial)
CLADPY_KOKKOS_SPACE(OpenMP)
CLADPY_KOKKOS_SPACE(Threads)
#undef CLADPY_KOKKOS_SPACE

template <class Execution, class Memory>
struct Device {
  using execution_space = Execution;
  using memory_space = Memory;
};

struct Dynamic {};
struct Static {};
template <class Kind>
struct Schedule {};
template <class Integer>
struct IndexType {};
template <unsigned threads, unsigned blocks = 0>
struct LaunchBounds {};

namespace cladpy_kokkos {

// What a parameter of a policy or a view is.
enum class Kind { tag, execution, memory, layout, traits, other };
template <class T>
struct kind_of { static constexpr Kind value = Kind::tag; };
template <> struct kind_of<DefaultExecutionSpace> { static constexpr Kind value = Kind::execution; };
template <> struct kind_of<DefaultHostExecutionSpace> { static constexpr Kind value = Kind::execution; };
template <> struct kind_of<Serial> { static constexpr Kind value = Kind::execution; };
template <> struct kind_of<OpenMP> { static constexpr Kind value = Kind::execution; };
template <> struct kind_of<Threads> { static constexpr Kind value = Kind::execution; };
template <> struct kind_of<HostSpace> { static constexpr Kind value = Kind::memory; };
template <> struct kind_of<DefaultExecutionSpace_space> { static constexpr Kind value = Kind::memory; };
template <class E> struct kind_of<ScratchMemorySpace<E>> { static constexpr Kind value = Kind::memory; };
template <class E, class M> struct kind_of<Device<E, M>> { static constexpr Kind value = Kind::memory; };
template <> struct kind_of<LayoutLeft> { static constexpr Kind value = Kind::layout; };
template <> struct kind_of<LayoutRight> { static constexpr Kind value = Kind::layout; };
template <> struct kind_of<LayoutStride> { static constexpr Kind value = Kind::layout; };
template <unsigned flags> struct kind_of<MemoryTraits<flags>> { static constexpr Kind value = Kind::traits; };
template <class K> struct kind_of<Schedule<K>> { static constexpr Kind value = Kind::other; };
template <class I> struct kind_of<IndexType<I>> { static constexpr Kind value = Kind::other; };
template <unsigned t, unsigned b> struct kind_of<LaunchBounds<t, b>> { static constexpr Kind value = Kind::other; };
template <> struct kind_of<void> { static constexpr Kind value = Kind::other; };

// The first of the parameters that is of a kind, or what is there otherwise.
template <Kind kind, class Otherwise, class... Given>
struct first_of { using type = Otherwise; };
template <bool is, Kind kind, class Otherwise, class First, class... Rest>
struct first_if { using type = First; };
template <Kind kind, class Otherwise, class First, class... Rest>
struct first_if<false, kind, Otherwise, First, Rest...> { using type = typename first_of<kind, Otherwise, Rest...>::type; };
template <Kind kind, class Otherwise, class First, class... Rest>
struct first_of<kind, Otherwise, First, Rest...> {
  using type = typename first_if<kind_of<First>::value == kind, kind, Otherwise, First, Rest...>::type;
};

}  // namespace cladpy_kokkos
}  // namespace Kokkos
