// Teams: each is read as one thread, which does by itself what the ranges in it divide among several. Kokkos may run a team so,
// and what depends on the number of its threads is refused.
#pragma once

#include <cladpy_kokkos/reductions.h>

namespace Kokkos {

struct AUTO_t {
  constexpr AUTO_t operator()() const { return {}; }
};
inline constexpr AUTO_t AUTO{};

namespace cladpy_kokkos {

// The number of a thread in its team.
struct rank_in_team {
  friend __host__ __device__ bool operator==(rank_in_team, int rank) __attribute__((enable_if(rank == 0, "is the first"))) { return true; }
  friend __host__ __device__ bool operator!=(rank_in_team, int rank) __attribute__((enable_if(rank == 0, "is the first"))) { return false; }
  __host__ __device__ operator int() const
      __attribute__((unavailable("Kokkos: team_rank() is compared with 0; TeamThreadRange and single divide the work of a team"))) {
    return 0;
  }
};

// Scratch memory of teams: of each type of numbers as much as all may need, a row for each team.
struct scratch_of_teams {
  View<double **, LayoutRight> doubles;
  View<float **, LayoutRight> floats;
  View<int **, LayoutRight> integers;
  template <class T>
  __host__ __device__ const auto &of() const {
    static_assert(std::is_same_v<T, double> || std::is_same_v<T, float> || std::is_same_v<T, int>,
                  "Kokkos: scratch memory holds numbers of the types double, float and int");
    if constexpr (std::is_same_v<T, double>) return doubles;
    else if constexpr (std::is_same_v<T, float>) return floats;
    else return integers;
  }
};
struct scratch {
  const scratch_of_teams &all;
  long row;
  long &used;  // elements, of whichever type
  template <class T>
  __host__ __device__ T *next() const { return &all.template of<T>()(row, used); }
  template <class T>
  __host__ __device__ long apart() const { return all.template of<T>().template at<1>().stride_at(); }
  __host__ __device__ void take(long count) const { used += count; }
};

struct TeamMember {
  long rank, count;
  scratch_of_teams memory = {};
  mutable long used = 0;
  __host__ __device__ scratch team_scratch(int) const { return {memory, rank, used}; }
  __host__ __device__ scratch thread_scratch(int) const { return {memory, rank, used}; }
  __host__ __device__ scratch team_shmem() const { return {memory, rank, used}; }
  __host__ __device__ int league_rank() const { return int(rank); }
  __host__ __device__ int league_size() const { return int(count); }
  __host__ __device__ rank_in_team team_rank() const { return {}; }
  __host__ __device__ void team_barrier() const {}
  template <class T>
  __host__ __device__ void team_broadcast(T &, int) const {}
  template <class Reducer>
  __host__ __device__ void team_reduce(const Reducer &) const {}
};

// What each thread of a team does for itself is done as often as the team has threads: so there is one, or nobody counts them.
// Where a program says of how many, that is checked (normalize/team_sizes.py).
inline void team_of_several() {}
struct team_size {
  team_size(AUTO_t) {}
  team_size(long size) __attribute__((enable_if(size == 1, "is one"))) {}
  team_size(long) { team_of_several(); }
};

// What is divided among the threads of a team, or done by each of them for itself.
template <bool by_each>
struct range_of {
  long begin, end;
};
template <int count, bool by_each>
struct ranges_of {
  long end[count];
};
template <bool by_each>
struct one_of {};
using range_in_team = range_of<false>;
using range_in_thread = range_of<true>;
using one_of_team = one_of<false>;
using one_of_thread = one_of<true>;
struct bytes_of_team {
  std::size_t bytes;
};
struct of_teams {};  // by which what is declared here is found

template <class Tag, class F>
struct of_team {
  F functor;
  long count;
  scratch_of_teams memory = {};
  template <class... Given>
  __host__ __device__ void operator()(long i, Given &...given) const {
    apply<Tag>(functor, TeamMember{i, count, memory}, given...);
  }
};

}  // namespace cladpy_kokkos

template <class... Props>
struct TeamPolicy : cladpy_kokkos::of_teams {
  using execution_space = typename cladpy_kokkos::first_of<cladpy_kokkos::Kind::execution, DefaultExecutionSpace, Props...>::type;
  using work_tag = typename cladpy_kokkos::first_of<cladpy_kokkos::Kind::tag, void, Props...>::type;
  using member_type = cladpy_kokkos::TeamMember;
  using execution_policy = TeamPolicy;
  long count_;
  bool has_scratch_ = false;
  std::size_t scratch_ = 0;  // bytes
  TeamPolicy &set_scratch_size(int, const cladpy_kokkos::bytes_of_team &bytes) {
    has_scratch_ = true;
    scratch_ += bytes.bytes;
    return *this;
  }
  TeamPolicy &set_scratch_size(int level, const cladpy_kokkos::bytes_of_team &one, const cladpy_kokkos::bytes_of_team &other) {
    set_scratch_size(level, one);
    return set_scratch_size(level, other);
  }
  TeamPolicy(long count, cladpy_kokkos::team_size) : count_(count) {}
  template <class Length>
  TeamPolicy(long count, cladpy_kokkos::team_size, const Length &) : count_(count) {}
  TeamPolicy(const execution_space &, long count, cladpy_kokkos::team_size) : count_(count) {}
  template <class Length>
  TeamPolicy(const execution_space &, long count, cladpy_kokkos::team_size, const Length &) : count_(count) {}
};

inline __host__ __device__ cladpy_kokkos::range_in_team TeamThreadRange(const cladpy_kokkos::TeamMember &, long count) { return {0, count}; }
inline __host__ __device__ cladpy_kokkos::range_in_team TeamThreadRange(const cladpy_kokkos::TeamMember &, long begin, long end) { return {begin, end}; }
inline __host__ __device__ cladpy_kokkos::range_in_thread ThreadVectorRange(const cladpy_kokkos::TeamMember &, long count) { return {0, count}; }
inline __host__ __device__ cladpy_kokkos::range_in_thread ThreadVectorRange(const cladpy_kokkos::TeamMember &, long begin, long end) { return {begin, end}; }
inline __host__ __device__ cladpy_kokkos::range_in_team TeamVectorRange(const cladpy_kokkos::TeamMember &, long count) { return {0, count}; }
inline __host__ __device__ cladpy_kokkos::range_in_team TeamVectorRange(const cladpy_kokkos::TeamMember &, long begin, long end) { return {begin, end}; }
inline __host__ __device__ cladpy_kokkos::one_of_team PerTeam(const cladpy_kokkos::TeamMember &) { return {}; }
inline __host__ __device__ cladpy_kokkos::one_of_thread PerThread(const cladpy_kokkos::TeamMember &) { return {}; }

template <class Rank, class>
struct TeamThreadMDRange : cladpy_kokkos::ranges_of<Rank::value, false> {
  template <class... N>
  __host__ __device__ TeamThreadMDRange(const cladpy_kokkos::TeamMember &, N... ends) : cladpy_kokkos::ranges_of<Rank::value, false>{{long(ends)...}} {}
};
template <class Rank, class>
struct TeamVectorMDRange : cladpy_kokkos::ranges_of<Rank::value, false> {
  template <class... N>
  __host__ __device__ TeamVectorMDRange(const cladpy_kokkos::TeamMember &, N... ends) : cladpy_kokkos::ranges_of<Rank::value, false>{{long(ends)...}} {}
};
template <class Rank, class>
struct ThreadVectorMDRange : cladpy_kokkos::ranges_of<Rank::value, true> {
  template <class... N>
  __host__ __device__ ThreadVectorMDRange(const cladpy_kokkos::TeamMember &, N... ends) : cladpy_kokkos::ranges_of<Rank::value, true>{{long(ends)...}} {}
};

inline cladpy_kokkos::bytes_of_team PerTeam(std::size_t bytes) { return {bytes}; }
inline cladpy_kokkos::bytes_of_team PerThread(std::size_t bytes) { return {bytes}; }
namespace cladpy_kokkos {

template <class... Props>
inline scratch_of_teams scratch_for(const TeamPolicy<Props...> &policy) {
  const std::size_t bytes = policy.scratch_;
  return {View<double **, LayoutRight>("scratch", policy.count_, bytes / sizeof(double) + 1),
          View<float **, LayoutRight>("scratch", policy.count_, bytes / sizeof(float) + 1),
          View<int **, LayoutRight>("scratch", policy.count_, bytes / sizeof(int) + 1)};
}

}  // namespace cladpy_kokkos

template <class... Props, class F>
inline void parallel_for(const TeamPolicy<Props...> &policy, const F &functor) {
  using policy_type = TeamPolicy<Props...>;
  using each = cladpy_kokkos::of_team<typename policy_type::work_tag, F>;
  const RangePolicy<typename policy_type::execution_space> range(0, policy.count_);
  if (policy.has_scratch_) parallel_for(range, each{functor, policy.count_, cladpy_kokkos::scratch_for(policy)});
  else parallel_for(range, each{functor, policy.count_});
}
template <bool by_each, class F>
__host__ __device__ inline void parallel_for(const cladpy_kokkos::range_of<by_each> &range, const F &functor) {
  for (long i = range.begin; i < range.end; ++i) functor(i);
}
namespace cladpy_kokkos {

template <int at, int count, bool by_each, class F>
__host__ __device__ inline void each_of(const ranges_of<count, by_each> &ranges, const F &functor) {
  for (long i = 0; i < ranges.end[at]; ++i)
    if constexpr (at + 1 == count) functor(i);
    else each_of<at + 1>(ranges, [&](auto &&...rest) { functor(i, rest...); });
}

}  // namespace cladpy_kokkos

template <int count, bool by_each, class F>
__host__ __device__ inline void parallel_for(const cladpy_kokkos::ranges_of<count, by_each> &ranges, const F &functor) {
  cladpy_kokkos::each_of<0>(ranges, functor);
}
template <bool by_each, class F>
__host__ __device__ inline void single(const cladpy_kokkos::one_of<by_each> &, const F &functor) { functor(); }
template <bool by_each, class F, class T>
__host__ __device__ inline void single(const cladpy_kokkos::one_of<by_each> &, const F &functor, T &value) { functor(value); }

namespace cladpy_kokkos {

template <class... Props, class F, class R>
inline void reduce_to(const TeamPolicy<Props...> &policy, const F &functor, R &&result) {
  using policy_type = TeamPolicy<Props...>;
  using each = of_team<typename policy_type::work_tag, F>;
  const RangePolicy<typename policy_type::execution_space> range(0, policy.count_);
  if (policy.has_scratch_) reduce_or_fold(range, each{functor, policy.count_, scratch_for(policy)}, functor, result);
  else reduce_or_fold(range, each{functor, policy.count_}, functor, result);
}
template <bool by_each, class F, class T>
__host__ __device__ inline void each_in(const range_of<by_each> &range, const F &functor, T &mine) {
  for (long i = range.begin; i < range.end; ++i) functor(i, mine);
}
template <int count, bool by_each, class F, class T>
__host__ __device__ inline void each_in(const ranges_of<count, by_each> &ranges, const F &functor, T &mine) {
  each_of<0>(ranges, [&](auto &&...i) { functor(i..., mine); });
}
template <class Ranges, class F, class R>
__host__ __device__ inline void reduce_in_team(const Ranges &ranges, const F &functor, R &&result) {
  if constexpr (is_reducer<std::decay_t<R>>::value) {
    std::decay_t<decltype(result.reference())> mine;
    result.init(mine);
    each_in(ranges, functor, mine);
    result.reference() = mine;
  } else {
    const auto to = into(result);
    using T = typename decltype(to)::value_type;
    T mine = decltype(to)::how::template identity<T>;
    each_in(ranges, functor, mine);
    to.number = mine;
  }
}
template <bool by_each, class F, class R>
__host__ __device__ inline void reduce_to(const range_of<by_each> &range, const F &functor, R &&result) { reduce_in_team(range, functor, result); }
template <int count, bool by_each, class F, class R>
__host__ __device__ inline void reduce_to(const ranges_of<count, by_each> &ranges, const F &functor, R &&result) { reduce_in_team(ranges, functor, result); }

}  // namespace cladpy_kokkos
}  // namespace Kokkos
