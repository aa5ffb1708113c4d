// Parts of views, copies between views, and views on the host.
#pragma once

#include <cladpy_kokkos/loops.h>
#include <cladpy_kokkos/view.h>

#include <utility>

// What is known of the memory of two views: they are the same now, since one is the other's mirror (0), since it has been
// copied (2), or they will be, since it comes to be copied (1).
void cladpy_mirrors(const void *one, const void *other, long elements, int when);

namespace Kokkos {

struct ALL_t {
  __host__ __device__ constexpr ALL_t operator()() const { return {}; }
};
inline constexpr ALL_t ALL{};

template <class A, class B>
using pair = std::pair<A, B>;
template <class A, class B>
__host__ __device__ inline std::pair<A, B> make_pair(A a, B b) { return {a, b}; }

namespace cladpy_kokkos {

// ---- parts of views: an index, all, or indices from one to before another, for each dimension ----

template <class T>
constexpr bool keeps = !std::is_integral_v<T>;
template <class I, class = std::enable_if_t<std::is_integral_v<I>>>
__host__ __device__ inline long begin_of(I at) { return long(at); }
__host__ __device__ inline long begin_of(ALL_t) { return 0; }
template <class A, class B>
__host__ __device__ inline long begin_of(const std::pair<A, B> &part) { return long(part.first); }
template <class I, class = std::enable_if_t<std::is_integral_v<I>>>
__host__ __device__ inline long length_of(I, long) { return 1; }
__host__ __device__ inline long length_of(ALL_t, long all) { return all; }
template <class A, class B>
__host__ __device__ inline long length_of(const std::pair<A, B> &part, long) { return long(part.second) - long(part.first); }

// The type with so many extents that are known at run time only.
template <class T, int rank>
struct pointers { using type = typename pointers<T, rank - 1>::type *; };
template <class T>
struct pointers<T, 0> { using type = T; };

// The position, among those that are kept, of the dimension whose elements are side by side.
template <int unit, class... Parts>
constexpr int unit_of() {
  constexpr bool kept[] = {keeps<Parts>...};
  if (unit < 0 || !kept[unit]) return -1;
  int at = 0;
  for (int k = 0; k < unit; ++k) at += kept[k];
  return at;
}
template <class V, int rank, int unit>
using layout_of_part = std::conditional_t<rank <= 1 ? unit == 0 : unit == rank - 1, LayoutRight,
                                          std::conditional_t<unit == 0, LayoutLeft, LayoutStride>>;

template <class V, class... Parts>
struct part_of {
  static constexpr int rank = (0 + ... + int(keeps<Parts>));
  using layout = layout_of_part<V, rank, unit_of<V::unit, Parts...>()>;
  using data = typename pointers<typename V::value_type, rank>::type;
  using type = std::conditional_t<std::is_same_v<typename V::memory_space, HostSpace>, View<data, layout, HostSpace>, View<data, layout>>;
};
template <int at, int from, class To, class V, class First, class... Rest>
__host__ __device__ inline void set_part(To &to, const V &of, const First &first, const Rest &...rest) {
  if constexpr (keeps<First>) {
    const auto &along = of.template at<from>();
    to.template be<at>(length_of(first, along.extent_at()), along.stride_at(), along.asked_stride());
  }
  if constexpr (sizeof...(Rest) > 0) set_part<at + int(keeps<First>), from + 1>(to, of, rest...);
}

// ---- copies: one element after the other, wherever it lies ----

template <int k, class V, class F, class... I>
inline void in_turn_from(const V &view, const F &functor, I... i) {
  if constexpr (k == int(V::rank)) functor(i...);
  else
    for (long at = 0; at < long(view.extent(k)); ++at) in_turn_from<k + 1>(view, functor, i..., at);
}
template <class V, class F, int... k>
inline void in_parallel(const V &view, const F &functor, std::integer_sequence<int, k...>) {
  parallel_for(MDRangePolicy<Rank<sizeof...(k)>>({(k, 0)...}, {long(view.extent(k))...}), functor);
}
template <class V, class F>
inline void for_elements(const V &view, const F &functor) {
  constexpr int rank = V::rank;
  static_assert(rank <= 6, "Kokkos: views of up to six dimensions are copied");
  if constexpr (std::is_same_v<typename V::memory_space, HostSpace>) in_turn_from<0>(view, functor);
  else if constexpr (rank == 0) parallel_for(RangePolicy<>(0, 1), [=] __host__ __device__(long) { functor(); });
  else if constexpr (rank == 1) parallel_for(RangePolicy<>(0, long(view.extent(0))), functor);
  else if constexpr (rank <= 6) in_parallel(view, functor, std::make_integer_sequence<int, rank>());
}

// Whether a view has elements of these subscripts.
template <int k = 0, class V>
__host__ __device__ inline bool has(const V &) { return true; }
template <int k = 0, class V, class... I>
__host__ __device__ inline bool has(const V &view, long at, I... rest) {
  return at < long(view.extent(k)) && has<k + 1>(view, rest...);
}

template <class V>
constexpr bool is_placed = std::is_same_v<typename V::memory_space, HostSpace> ||
                           std::is_same_v<typename V::memory_space, DefaultExecutionSpace_space>;
// Whether a space is the one that a view is in, as programs name it.
template <class Space, class V>
constexpr bool is_there = std::is_same_v<typename Space::memory_space, typename V::memory_space>;

template <class V>
constexpr bool is_whole = !std::is_same_v<typename V::array_layout, LayoutStride>;

}  // namespace cladpy_kokkos

template <class D, class... Props, class... Parts>
__host__ __device__ inline auto subview(const View<D, Props...> &of, Parts... parts) {
  static_assert(sizeof...(Parts) == View<D, Props...>::rank, "Kokkos: subview has an index, a pair or ALL for each dimension");
  using type = typename cladpy_kokkos::part_of<View<D, Props...>, Parts...>::type;
  type part(of.data_ + of.offset(cladpy_kokkos::begin_of(parts)...));
  cladpy_kokkos::set_part<0, 0>(part, of, parts...);
  return part;
}

template <class D, class... Props, class E, class... Others>
inline void deep_copy(const View<D, Props...> &to, const View<E, Others...> &from) {
  using To = View<D, Props...>;
  using From = View<E, Others...>;
  static_assert(cladpy_kokkos::is_placed<To> && cladpy_kokkos::is_placed<From>,
                "Kokkos: copies are between views of the default memory space and of HostSpace");
  cladpy_mirrors(to.data_, from.data_, to.count(), 1);
  if constexpr (std::is_same_v<typename To::memory_space, typename From::memory_space>) {
    cladpy_kokkos::for_elements(to, [=] __host__ __device__(auto... i) { to(i...) = from(i...); });
  } else {
    static_assert(cladpy_kokkos::is_whole<To> && cladpy_kokkos::is_whole<From>, "Kokkos: what is copied between spaces is no part of a view");
    using T = typename To::value_type;
    const std::size_t bytes = std::size_t(from.count()) * sizeof(T);
    if constexpr (To::rank <= 1) {
      cudaMemcpy(to.data_, from.data_, bytes, cudaMemcpyDefault);
    } else {  // in the order of the device's, which may be another one than the host's
      T *const between = static_cast<T *>(std::malloc(bytes));
      if constexpr (std::is_same_v<typename To::memory_space, HostSpace>) {
        cudaMemcpy(between, from.data_, bytes, cudaMemcpyDefault);
        cladpy_kokkos::for_elements(to, [=] __host__ __device__(auto... i) { to(i...) = between[from.offset(long(i)...)]; });
      } else {
        cladpy_kokkos::for_elements(from, [=] __host__ __device__(auto... i) { between[to.offset(long(i)...)] = from(i...); });
        cudaMemcpy(to.data_, between, bytes, cudaMemcpyDefault);
      }
      std::free(between);
    }
  }
  cladpy_mirrors(to.data_, from.data_, to.count(), 2);
}
template <class D, class... Props, class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
inline void deep_copy(const View<D, Props...> &to, const T &value) {
  static_assert(cladpy_kokkos::is_placed<View<D, Props...>>, "Kokkos: views of the default memory space and of HostSpace are filled");
  cladpy_kokkos::for_elements(to, [=] __host__ __device__(auto... i) { to(i...) = value; });
}
template <class T, class D, class... Props, class = std::enable_if_t<std::is_arithmetic_v<T>>>
inline void deep_copy(T &number, const View<D, Props...> &from) {
  static_assert(View<D, Props...>::rank == 0, "Kokkos: a number is copied from a view of rank 0");
  cudaMemcpy(&number, from.data_, sizeof(T), cudaMemcpyDefault);
}
template <class Space, class To, class From, class = decltype(std::declval<const Space &>().fence())>
inline void deep_copy(const Space &, const To &to, const From &from) {
  deep_copy(to, from);
}

// ---- views on the host ----

namespace cladpy_kokkos {

// A view's type in another space.
template <class Space, class V>
struct moved;
template <class Space, class D, class... Props>
struct moved<Space, View<D, Props...>> {
  using layout = typename traits<D, Props...>::layout;
  using data = typename not_const<D>::type;
  using space = typename Space::memory_space;
  using type = std::conditional_t<std::is_same_v<layout, unset>, View<data, space>, View<data, layout, space>>;
};
template <class Mirror, class V, int... k>
inline Mirror made_by_extents(const V &of, std::integer_sequence<int, k...>) { return Mirror("", of.extent(k)...); }
template <class Mirror, class V>
inline Mirror made_like(const V &of) { return made_by_extents<Mirror>(of, std::make_integer_sequence<int, Mirror::rank>()); }
// In memory of its own, with what the view holds, which where loops run on the host is the view's memory.
template <class Space, class V>
inline auto mirror_of(const V &of) {
  auto mirror = made_like<typename moved<Space, V>::type>(of);
  deep_copy(mirror, of);
  cladpy_mirrors(mirror.data_, of.data_, of.count(), 0);
  return mirror;
}

}  // namespace cladpy_kokkos

template <class D, class... Props>
inline auto create_mirror(const View<D, Props...> &of) {
  return cladpy_kokkos::made_like<typename View<D, Props...>::HostMirror>(of);
}
template <class Space, class D, class... Props, class = typename Space::memory_space>
inline auto create_mirror(const Space &, const View<D, Props...> &of) {
  return cladpy_kokkos::made_like<typename cladpy_kokkos::moved<Space, View<D, Props...>>::type>(of);
}
template <class Space, class D, class... Props, class = typename Space::memory_space>
inline auto create_mirror_view(const Space &, const View<D, Props...> &of) {
  if constexpr (cladpy_kokkos::is_there<Space, View<D, Props...>>) return of;
  else return cladpy_kokkos::mirror_of<Space>(of);
}
template <class D, class... Props>
inline auto create_mirror_view(const View<D, Props...> &of) {
  return create_mirror_view(HostSpace(), of);
}
template <class Space, class D, class... Props, class = typename Space::memory_space>
inline auto create_mirror_view_and_copy(const Space &space, const View<D, Props...> &of) {
  return create_mirror_view(space, of);
}

template <class D, class... Props, class... N>
inline void realloc(View<D, Props...> &view, N... n) {
  view = View<D, Props...>("", n...);
}
template <class D, class... Props, class... N>
inline void resize(View<D, Props...> &view, N... n) {
  const View<D, Props...> before = view, after("", n...);
  view = after;
  cladpy_kokkos::for_elements(after, [=] __host__ __device__(auto... i) {
    if (cladpy_kokkos::has(before, i...)) after(i...) = before(i...);
  });
}

}  // namespace Kokkos
