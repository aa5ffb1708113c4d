// A small library with the interface of Kokkos, for tests where Kokkos is not built: one thread, which runs iterations
// from the last to the first, so that what depends on their order shows. With STANDIN_LEFT views without a layout have
// LayoutLeft, as on a GPU. With STANDIN_DEVICE loops run beside memory that the types say the host does not reach.
#pragma once

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#define KOKKOS_FUNCTION
#define KOKKOS_INLINE_FUNCTION inline
#define KOKKOS_FORCEINLINE_FUNCTION inline
#define KOKKOS_LAMBDA [=]
#define KOKKOS_CLASS_LAMBDA [ =, *this ]

namespace Kokkos {

struct ScratchSpace {};
struct LayoutLeft {};
struct LayoutRight {};
struct LayoutStride {
  std::size_t dimension[8] = {}, stride[8] = {};
  LayoutStride() = default;
  template <class... N>
  explicit LayoutStride(std::size_t n, N... rest) {
    const std::size_t both[] = {n, static_cast<std::size_t>(rest)...};
    for (std::size_t k = 0; k <= sizeof...(N); ++k) (k % 2 ? stride : dimension)[k / 2] = both[k];
  }
};
struct HostSpace {
  using memory_space = HostSpace;
};
struct Serial {
  using memory_space = HostSpace;
  using scratch_memory_space = ScratchSpace;
  using execution_space = Serial;
  void fence(const std::string & = "") const {}
};
#ifdef STANDIN_DEVICE
struct DeviceSpace {
  using memory_space = DeviceSpace;
};
struct Device {
  using memory_space = DeviceSpace;
  using scratch_memory_space = ScratchSpace;
  using execution_space = Device;
};
using DefaultExecutionSpace = Device;
#else
using DefaultExecutionSpace = Serial;
#endif
using DefaultHostExecutionSpace = Serial;
template <class From, class Memory>
struct SpaceAccessibility {
  static constexpr bool accessible = std::is_same_v<typename From::memory_space, Memory>;
};
template <unsigned>
struct MemoryTraits {};
enum { Unmanaged = 1, RandomAccess = 2, Atomic = 4 };
using MemoryUnmanaged = MemoryTraits<Unmanaged>;
template <class>
struct IndexType {};
template <class>
struct Schedule {};
struct Static {};
struct Dynamic {};
struct WithoutInitializing_t {};
inline constexpr WithoutInitializing_t WithoutInitializing{};
template <class Name, class... More>
std::string view_alloc(const Name &name, const More &...) { return name; }
struct ALL_t {
  ALL_t operator()() const { return {}; }
};
inline constexpr ALL_t ALL{};
using AUTO_t = ALL_t;
inline constexpr AUTO_t AUTO{};

namespace standin {
template <class T>
struct data {
  using value = T;
  static constexpr int rank = 0, dynamic = 0;
  static std::size_t known(int) { return 0; }
};
template <class T>
struct data<T *> {
  using value = typename data<T>::value;
  static constexpr int rank = data<T>::rank + 1, dynamic = data<T>::dynamic + 1;
  static std::size_t known(int k) { return k < dynamic ? 0 : data<T>::known(k - 1); }
};
template <class T, std::size_t n>
struct data<T[n]> {
  using value = typename data<T>::value;
  static constexpr int rank = data<T>::rank + 1, dynamic = data<T>::dynamic;
  static std::size_t known(int k) { return k < dynamic ? 0 : k == dynamic ? n : data<T>::known(k - 1); }
};
template <class What, class... Props>
constexpr bool has = (std::is_same_v<What, Props> || ...);
#ifdef STANDIN_LEFT
constexpr bool left = true;
#else
constexpr bool left = false;
#endif
template <class Tag>
struct is_tag : std::bool_constant<std::is_empty_v<Tag>> {};
template <> struct is_tag<Serial> : std::false_type {};
#ifdef STANDIN_DEVICE
template <> struct is_tag<Device> : std::false_type {};
#endif
template <class T> struct is_tag<IndexType<T>> : std::false_type {};
template <class T> struct is_tag<Schedule<T>> : std::false_type {};
template <class...>
struct tag_in { using type = void; };
template <class First, class... Rest>
struct tag_in<First, Rest...> {
  using type = std::conditional_t<is_tag<First>::value, First, typename tag_in<Rest...>::type>;
};
template <class Tag, class F, class... Given>
void apply(const F &f, Given &&...given) {
  if constexpr (std::is_void_v<Tag>) f(given...);
  else f(Tag(), given...);
}
template <class T, class = void>
struct requires_start : std::false_type {};
template <class T>
struct requires_start<T, std::void_t<decltype(&T::start)>> : std::true_type {};
}  // namespace standin

// What members of teams give: each view has its own part.
struct Scratch {};

template <class D, class... Props>
class View {
 public:
  using value_type = typename standin::data<D>::value;
  using non_const_value_type = std::remove_const_t<value_type>;
  using memory_space = std::conditional_t<(std::is_same_v<HostSpace, Props> || ...), HostSpace, DefaultExecutionSpace::memory_space>;
  using HostMirror = View<D, std::conditional_t<standin::left && !standin::has<LayoutRight, Props...>, LayoutLeft, LayoutRight>, HostSpace>;
  using pointer_type = value_type *;
  static constexpr bool is_left = standin::has<LayoutLeft, Props...> || (standin::left && !standin::has<LayoutRight, Props...>);
  using array_layout = std::conditional_t<standin::has<LayoutStride, Props...>, LayoutStride, std::conditional_t<is_left, LayoutLeft, LayoutRight>>;
  static constexpr int rank = standin::data<D>::rank, rank_dynamic = standin::data<D>::dynamic;

  View() = default;
  template <class... N, class = std::enable_if_t<(std::is_integral_v<N> && ...)>>
  explicit View(const std::string &label, N... n) : label_(label) {
    shape({static_cast<std::size_t>(n)...});
    owner_ = std::shared_ptr<void>(std::calloc(span() + 1, sizeof(value_type)), std::free);
    data_ = static_cast<value_type *>(owner_.get());
  }
  template <class... N>
  explicit View(const Scratch &, N... n) : View("scratch", n...) {}
  template <class... N>
  static std::size_t shmem_size(N... n) { return (sizeof(value_type) * ... * n); }
  template <class... N, class = std::enable_if_t<(std::is_integral_v<N> && ...)>>
  explicit View(value_type *memory, N... n) : data_(memory) {
    shape({static_cast<std::size_t>(n)...});
  }
  View(value_type *memory, const LayoutStride &layout) : data_(memory) {
    for (int k = 0; k < rank; ++k) extents_[k] = layout.dimension[k], strides_[k] = layout.stride[k];
  }
  template <class E, class... Others, class = std::enable_if_t<!std::is_same_v<View<E, Others...>, View>>>
  View(const View<E, Others...> &other) : data_(other.data()), owner_(other.owner()), label_(other.label()) {
    for (int k = 0; k < rank; ++k) extents_[k] = other.extent(k), strides_[k] = other.stride(k);
  }

  value_type *data() const { return data_; }
  // a part of another view: from an element on, with some of its dimensions
  template <class V>
  View(const V &of, std::size_t first, std::size_t kept, const std::size_t *extents, const std::size_t *strides)
      : data_(of.data() + first), owner_(of.owner()), label_(of.label()) {
    for (std::size_t k = 0; k < kept; ++k) extents_[k] = extents[k], strides_[k] = strides[k];
  }
  const std::shared_ptr<void> &owner() const { return owner_; }
  const std::string &label() const { return label_; }
  std::size_t extent(int k) const { return k < rank ? extents_[k] : 1; }
  int extent_int(int k) const { return static_cast<int>(extent(k)); }
  static std::size_t static_extent(int k) { return standin::data<D>::known(k); }
  std::size_t stride(int k) const { return strides_[k]; }
  std::size_t size() const { return span(); }
  std::size_t span() const {
    std::size_t all = 1;
    for (int k = 0; k < rank; ++k) all *= extents_[k];
    return all;
  }
  template <class... I>
  value_type &operator()(I... i) const {
    const std::size_t at[] = {static_cast<std::size_t>(i)..., 0};
    std::size_t offset = 0;
    for (int k = 0; k < rank; ++k) {
      if (at[k] >= extents_[k]) std::abort();
      offset += at[k] * strides_[k];
    }
    return data_[offset];
  }
  template <class I>
  value_type &operator[](I i) const { return (*this)(i); }

 private:
  void shape(std::initializer_list<std::size_t> given) {
    for (int k = 0; k < rank; ++k)
      extents_[k] = static_cast<std::size_t>(k) < given.size() ? given.begin()[k] : standin::data<D>::known(k);
    std::size_t step = 1;
    for (int k = 0; k < rank; ++k) {
      const int here = is_left ? k : rank - 1 - k;
      strides_[here] = step;
      step *= extents_[here];
    }
  }

  value_type *data_ = nullptr;
  std::size_t extents_[9] = {}, strides_[9] = {};
  std::shared_ptr<void> owner_;
  std::string label_;
};

template <class... Props>
struct RangePolicy {
  using tag = typename standin::tag_in<Props...>::type;
  long begin, end;
  RangePolicy(long begin_, long end_) : begin(begin_), end(end_) {}
};
template <class... Props, class F>
void parallel_for(const RangePolicy<Props...> &policy, const F &f) {
  for (long i = policy.end; i-- > policy.begin;) standin::apply<typename RangePolicy<Props...>::tag>(f, i);
}

// What results begin with: a number's, a view's, or a reducer's.
template <class T, class Start, class Space>
struct Reducer {
  T &result;
  explicit Reducer(T &to) : result(to) {}
  explicit Reducer(const View<T, Space> &to) : result(to()) {}
  T &start() const { return result = Start::template value<T>; }
};
struct Zero { template <class T> static constexpr T value = T(0); };
struct One { template <class T> static constexpr T value = T(1); };
struct Lowest { template <class T> static constexpr T value = std::numeric_limits<T>::lowest(); };
struct Largest { template <class T> static constexpr T value = std::numeric_limits<T>::max(); };
template <class T, class Space = HostSpace> struct Sum : Reducer<T, Zero, Space> { using Reducer<T, Zero, Space>::Reducer; };
template <class T, class Space = HostSpace> struct Prod : Reducer<T, One, Space> { using Reducer<T, One, Space>::Reducer; };
template <class T, class Space = HostSpace> struct Max : Reducer<T, Lowest, Space> { using Reducer<T, Lowest, Space>::Reducer; };
template <class T, class Space = HostSpace> struct Min : Reducer<T, Largest, Space> { using Reducer<T, Largest, Space>::Reducer; };
template <class T> struct LOr : Reducer<T, Zero, HostSpace> { using Reducer<T, Zero, HostSpace>::Reducer; };
template <class T> struct LAnd : Reducer<T, One, HostSpace> { using Reducer<T, One, HostSpace>::Reducer; };
template <class T, class Index>
struct ValLocScalar {
  T val;
  Index loc;
};
template <class T>
struct MinMaxScalar {
  T min_val, max_val;
};
template <class T, class Index>
struct MinMaxLocScalar {
  T min_val, max_val;
  Index min_loc, max_loc;
};
// Reducers whose results are objects.
template <class Value>
struct ObjectReducer {
  using value_type = Value;
  Value &result;
  explicit ObjectReducer(Value &to) : result(to) {}
  Value &reference() const { return result; }
};
template <class T, class Index>
struct MinLoc : ObjectReducer<ValLocScalar<T, Index>> {
  using ObjectReducer<ValLocScalar<T, Index>>::ObjectReducer;
  void init(ValLocScalar<T, Index> &v) const { v = {Largest::value<T>, 0}; }
};
template <class T, class Index>
struct MaxLoc : ObjectReducer<ValLocScalar<T, Index>> {
  using ObjectReducer<ValLocScalar<T, Index>>::ObjectReducer;
  void init(ValLocScalar<T, Index> &v) const { v = {Lowest::value<T>, 0}; }
};
template <class T>
struct MinMax : ObjectReducer<MinMaxScalar<T>> {
  using ObjectReducer<MinMaxScalar<T>>::ObjectReducer;
  void init(MinMaxScalar<T> &v) const { v = {Largest::value<T>, Lowest::value<T>}; }
};
template <class T, class Index>
struct MinMaxLoc : ObjectReducer<MinMaxLocScalar<T, Index>> {
  using ObjectReducer<MinMaxLocScalar<T, Index>>::ObjectReducer;
  void init(MinMaxLocScalar<T, Index> &v) const { v = {Largest::value<T>, Lowest::value<T>, 0, 0}; }
};
namespace standin {
template <class T, class = void>
struct refers : std::false_type {};
template <class T>
struct refers<T, std::void_t<decltype(std::declval<const T &>().reference())>> : std::true_type {};
template <class F, class T, class = void>
struct begins : std::false_type {};
template <class F, class T>
struct begins<F, T, std::void_t<decltype(std::declval<const F &>().init(std::declval<T &>()))>> : std::true_type {};
template <class F, class = void>
struct joins : std::false_type {};
template <class F>
struct joins<F, std::void_t<decltype(&F::join)>> : std::true_type {};
template <class F, class T, class = void>
struct ends : std::false_type {};
template <class F, class T>
struct ends<F, T, std::void_t<decltype(std::declval<const F &>().final(std::declval<T &>()))>> : std::true_type {};
template <class T>
auto &start(T &&result) {
  using Bare = std::remove_cv_t<std::remove_reference_t<T>>;
  if constexpr (std::is_arithmetic_v<Bare>) return result = Bare(0);
  else if constexpr (requires_start<Bare>::value) return result.start();
  else if constexpr (refers<Bare>::value) {
    result.init(result.reference());
    return result.reference();
  }
  else return result() = 0;
}
// The same of a functor that may say itself what it begins as, and how it ends.
template <class F, class T>
auto &start_by(const F &f, T &result) {
  if constexpr (joins<F>::value) {
    if constexpr (begins<F, T>::value) f.init(result);
    else result = T();
    return result;
  } else {
    return start(result);
  }
}
template <class F, class T>
void finish(const F &f, T &result) {
  if constexpr (joins<F>::value && ends<F, T>::value) f.final(result);
}
}  // namespace standin

template <class... Props, class F, class... T>
void parallel_reduce(const RangePolicy<Props...> &policy, const F &f, T &&...results) {
  const auto run = [&](auto &...to) {
    for (long i = policy.end; i-- > policy.begin;) standin::apply<typename RangePolicy<Props...>::tag>(f, i, to...);
  };
  run(standin::start_by(f, results)...);
  (standin::finish(f, results), ...);
}
// Neighbours have to come one after the other here.
template <class... Props, class F, class T>
void parallel_scan(const RangePolicy<Props...> &policy, const F &f, T &result) {
  T seen = T(0);
  result = T(0);
  for (long i = policy.begin; i < policy.end; ++i) standin::apply<typename RangePolicy<Props...>::tag>(f, i, seen, false);
  for (long i = policy.begin; i < policy.end; ++i) standin::apply<typename RangePolicy<Props...>::tag>(f, i, result, true);
}
template <class... Props, class F>
void parallel_scan(const RangePolicy<Props...> &policy, const F &f) {
  double result;
  parallel_scan(policy, f, result);
}
template <class F, class... T>
void parallel_scan(std::size_t n, const F &f, T &...result) { parallel_scan(RangePolicy<>(0, n), f, result...); }
template <class F, class... T>
void parallel_scan(const char *, std::size_t n, const F &f, T &...result) { parallel_scan(n, f, result...); }
template <class F, class N, class = std::enable_if_t<std::is_integral_v<N>>>
void parallel_for(N n, const F &f) { parallel_for(RangePolicy<>(0, n), f); }
template <class F, class N, class... T, class = std::enable_if_t<std::is_integral_v<N>>>
void parallel_reduce(N n, const F &f, T &&...results) { parallel_reduce(RangePolicy<>(0, n), f, results...); }
template <class... Given>
void parallel_for(const std::string &, const Given &...given) { parallel_for(given...); }
template <class P, class F, class... T>
void parallel_reduce(const std::string &, const P &policy, const F &f, T &&...results) { parallel_reduce(policy, f, results...); }

template <unsigned>
struct Rank {};
template <class... Props>
struct MDRangePolicy;
template <class Space, unsigned rank>
struct MDRangePolicy<Space, Rank<rank>> {
  long begin[rank], end[rank];
  MDRangePolicy(std::initializer_list<long> begin_, std::initializer_list<long> end_) {
    for (unsigned k = 0; k < rank; ++k) begin[k] = begin_.begin()[k], end[k] = end_.begin()[k];
  }
  template <class F, class... T>
  void run(const F &f, T &...results) const {
    over<0>([&](auto... i) { f(i..., results...); });
  }
  template <unsigned k, class F>
  void over(const F &f) const {
    for (long i = end[k]; i-- > begin[k];)
      if constexpr (k + 1 == rank) f(i);
      else over<k + 1>([&](auto... rest) { f(i, rest...); });
  }
};
template <unsigned rank>
struct MDRangePolicy<Rank<rank>> : MDRangePolicy<Serial, Rank<rank>> {
  using MDRangePolicy<Serial, Rank<rank>>::MDRangePolicy;
};
template <class... Props, class F>
void parallel_for(const MDRangePolicy<Props...> &policy, const F &f) { policy.run(f); }
template <class... Props, class F, class T>
void parallel_reduce(const MDRangePolicy<Props...> &policy, const F &f, T &&result) {
  policy.run(f, standin::start_by(f, result));
}

// Teams of one thread.
struct Member {
  long rank, count;
  int league_rank() const { return static_cast<int>(rank); }
  int league_size() const { return static_cast<int>(count); }
  int team_rank() const { return 0; }
  int team_size() const { return 1; }
  void team_barrier() const {}
  template <class T>
  void team_broadcast(T &, int) const {}
  Scratch team_scratch(int) const { return {}; }
};
template <class... Props>
struct TeamPolicy {
  using tag = typename standin::tag_in<Props...>::type;
  using member_type = Member;
  long count;
  template <class... Sizes>
  TeamPolicy(long count_, const Sizes &...) : count(count_) {}
  TeamPolicy &set_scratch_size(int, std::size_t) { return *this; }
};
struct InTeam {
  long begin, end;
};
inline InTeam TeamThreadRange(const Member &, long count) { return {0, count}; }
inline InTeam TeamThreadRange(const Member &, long begin, long end) { return {begin, end}; }
inline InTeam ThreadVectorRange(const Member &, long count) { return {0, count}; }
inline InTeam ThreadVectorRange(const Member &, long begin, long end) { return {begin, end}; }
inline int PerTeam(const Member &) { return 0; }
inline std::size_t PerTeam(std::size_t bytes) { return bytes; }
template <class F, class... T>
void single(int, const F &f, T &...value) { f(value...); }
template <class... Props, class F>
void parallel_for(const TeamPolicy<Props...> &policy, const F &f) {
  for (long i = policy.count; i-- > 0;) standin::apply<typename TeamPolicy<Props...>::tag>(f, Member{i, policy.count});
}
template <class... Props, class F, class T>
void parallel_reduce(const TeamPolicy<Props...> &policy, const F &f, T &&result) {
  auto &to = standin::start_by(f, result);
  for (long i = policy.count; i-- > 0;) standin::apply<typename TeamPolicy<Props...>::tag>(f, Member{i, policy.count}, to);
}
template <class F>
void parallel_for(const InTeam &range, const F &f) {
  for (long i = range.end; i-- > range.begin;) f(i);
}
template <class F, class T>
void parallel_reduce(const InTeam &range, const F &f, T &&result) {
  auto &to = standin::start(result);
  for (long i = range.end; i-- > range.begin;) f(i, to);
}

inline void fence(const std::string & = "") {}
template <class Space>
void *kokkos_malloc(std::size_t bytes) { return std::malloc(bytes); }
template <class Space>
void kokkos_free(void *memory) { std::free(memory); }
template <class... A, class... B>
void deep_copy(const View<A...> &to, const View<B...> &from) {
  std::size_t at[9] = {};
  for (std::size_t n = 0; n < from.span(); ++n) {
    std::size_t rest = n, source = 0, target = 0;
    for (int k = View<A...>::rank; k-- > 0;) {
      at[k] = rest % from.extent(k);
      rest /= from.extent(k);
      source += at[k] * from.stride(k);
      target += at[k] * to.stride(k);
    }
    to.data()[target] = from.data()[source];
  }
}
template <class... A, class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
void deep_copy(const View<A...> &to, T value) {
  for (std::size_t i = 0; i < to.span(); ++i) to.data()[i] = value;
}
template <class T, class... A, class = std::enable_if_t<std::is_arithmetic_v<T>>>
void deep_copy(T &number, const View<A...> &from) { number = from(); }

// Parts of views: an index, all, or from one to before another, in each dimension.
template <class A, class B>
std::pair<A, B> make_pair(A a, B b) { return {a, b}; }
namespace standin {
template <class T, int rank>
struct pointers { using type = typename pointers<T, rank - 1>::type *; };
template <class T>
struct pointers<T, 0> { using type = T; };
struct Part { long first, length; bool kept; };
template <class T>
Part part(T at, std::size_t) { return {static_cast<long>(at), 1, false}; }
inline Part part(ALL_t, std::size_t all) { return {0, static_cast<long>(all), true}; }
template <class A, class B>
Part part(const std::pair<A, B> &p, std::size_t) { return {p.first, p.second - p.first, true}; }
}  // namespace standin
template <class V, class... Parts>
auto subview(const V &of, Parts... parts) {
  constexpr int rank = (0 + ... + !std::is_integral_v<Parts>);
  int k = 0;
  const standin::Part all[] = {standin::part(parts, of.extent(k++))...};
  std::size_t extents[9], strides[9], first = 0, kept = 0;
  for (k = 0; k < static_cast<int>(sizeof...(Parts)); ++k) {
    first += all[k].first * of.stride(k);
    if (all[k].kept) extents[kept] = all[k].length, strides[kept++] = of.stride(k);
  }
  using T = typename standin::pointers<typename V::value_type, rank>::type;
  return View<T, LayoutStride, typename V::memory_space>(of, first, kept, extents, strides);
}

// Mirrors are what is there already, as in Kokkos, but for those that are to be views of their own.
template <class... A>
typename View<A...>::HostMirror create_mirror(const View<A...> &of) {
  using Mirror = typename View<A...>::HostMirror;
  constexpr int rank = Mirror::rank;
  Mirror mirror;
  if constexpr (rank == 0) mirror = Mirror("mirror");
  else if constexpr (rank == 1) mirror = Mirror("mirror", of.extent(0));
  else mirror = Mirror("mirror", of.extent(0), of.extent(1));
  return mirror;
}
template <class... A>
auto create_mirror_view(const View<A...> &of) {
  if constexpr (std::is_same_v<HostSpace, typename View<A...>::memory_space>) return of;
  else return create_mirror(of);
}
template <class Space, class... A>
auto create_mirror_view(const Space &, const View<A...> &of) {
  using V = View<A...>;
  if constexpr (std::is_same_v<typename Space::memory_space, typename V::memory_space>) return of;
  else if constexpr (V::rank == 1) return View<typename V::non_const_value_type *, typename Space::memory_space>("mirror", of.extent(0));
}
template <class Space, class... A>
auto create_mirror_view_and_copy(const Space &space, const View<A...> &of) {
  auto mirror = create_mirror_view(space, of);
  deep_copy(mirror, of);
  return mirror;
}
template <class... A, class... N>
void realloc(View<A...> &view, N... n) { view = View<A...>(view.label(), n...); }
template <class... A, class... I>
void keep(const View<A...> &after, const View<A...> &before, I... i) {
  constexpr std::size_t k = sizeof...(I);
  if constexpr (k == View<A...>::rank) after(i...) = before(i...);
  else
    for (std::size_t at = 0; at < std::min(after.extent(k), before.extent(k)); ++at) keep(after, before, i..., at);
}
template <class... A, class... N>
void resize(View<A...> &view, N... n) {
  const View<A...> after(view.label(), n...);
  keep(after, view);
  view = after;
}

template <class T, class U>
void atomic_add(T *to, U value) { *to += value; }
template <class T, class U>
T atomic_fetch_add(T *to, U value) {
  const T old = *to;
  *to += value;
  return old;
}
template <class T, class U>
T atomic_exchange(T *of, U value) { return std::exchange(*of, static_cast<T>(value)); }

using std::abs, std::sqrt, std::exp, std::log, std::sin, std::cos, std::tan, std::tanh, std::pow, std::fabs, std::fmax, std::fmin;
using std::cbrt, std::hypot, std::atan2, std::erf, std::floor, std::ceil, std::log1p, std::expm1, std::sinh, std::cosh, std::fma;
template <class T>
const T &max(const T &a, const T &b) { return a < b ? b : a; }
template <class T>
const T &min(const T &a, const T &b) { return b < a ? b : a; }

struct Timer {
  double seconds() const { return 0; }
};
namespace Profiling {
inline void pushRegion(const std::string &) {}
inline void popRegion() {}
}  // namespace Profiling

inline void initialize(int &, char **) {}
inline void initialize() {}
inline void finalize() {}
inline bool is_initialized() { return true; }

}  // namespace Kokkos
