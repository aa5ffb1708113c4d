// Policies: which iterations a loop has, and where it runs.
#pragma once

#include <cladpy_kokkos/view.h>

#include <cstdint>

#define KOKKOS_FUNCTION __host__ __device__
#define KOKKOS_INLINE_FUNCTION __host__ __device__ inline
#define KOKKOS_FORCEINLINE_FUNCTION __host__ __device__ inline
#define KOKKOS_LAMBDA [=] __host__ __device__
#define KOKKOS_CLASS_LAMBDA [ =, *this ] __host__ __device__
#define KOKKOS_DEDUCTION_GUIDE __host__ __device__
#define KOKKOS_INLINE_FUNCTION_DELETED __host__ __device__ inline
#define KOKKOS_DEFAULTED_FUNCTION __host__ __device__ inline

namespace Kokkos {

template <class... Props>
struct RangePolicy {
  using execution_policy = RangePolicy;
  using execution_space = typename cladpy_kokkos::first_of<cladpy_kokkos::Kind::execution, DefaultExecutionSpace, Props...>::type;
  using work_tag = typename cladpy_kokkos::first_of<cladpy_kokkos::Kind::tag, void, Props...>::type;
  using index_type = std::int64_t;
  using member_type = std::int64_t;
  long begin_, end_;
  RangePolicy() : begin_(0), end_(0) {}
  RangePolicy(long begin, long end) : begin_(begin), end_(end) {}
  template <class Chunk, class = std::enable_if_t<!std::is_integral_v<Chunk>>>
  RangePolicy(long begin, long end, const Chunk &) : begin_(begin), end_(end) {}
  RangePolicy(const execution_space &, long begin, long end) : begin_(begin), end_(end) {}
  long begin() const { return begin_; }
  long end() const { return end_; }
};

enum class Iterate { Default, Left, Right };
template <unsigned rank, Iterate = Iterate::Default, Iterate = Iterate::Default>
struct Rank {
  static constexpr unsigned value = rank;
};

namespace cladpy_kokkos {

template <class... Props>
struct rank_of;
template <unsigned rank, Iterate outer, Iterate inner, class... Rest>
struct rank_of<Rank<rank, outer, inner>, Rest...> {
  static constexpr unsigned value = rank;
};
template <class First, class... Rest>
struct rank_of<First, Rest...> : rank_of<Rest...> {};
template <unsigned rank, Iterate outer, Iterate inner>
struct kind_of<Rank<rank, outer, inner>> {
  static constexpr Kind value = Kind::other;
};

}  // namespace cladpy_kokkos

template <class... Props>
struct MDRangePolicy {
  using execution_space = typename cladpy_kokkos::first_of<cladpy_kokkos::Kind::execution, DefaultExecutionSpace, Props...>::type;
  using work_tag = typename cladpy_kokkos::first_of<cladpy_kokkos::Kind::tag, void, Props...>::type;
  static constexpr unsigned rank = cladpy_kokkos::rank_of<Props...>::value;
  long begin_[rank], end_[rank];
  MDRangePolicy(const long (&begin)[rank], const long (&end)[rank]) { take(begin, end); }
  MDRangePolicy(const long (&begin)[rank], const long (&end)[rank], const long (&)[rank]) { take(begin, end); }

 private:
  void take(const long (&begin)[rank], const long (&end)[rank]) {
    for (unsigned k = 0; k < rank; ++k) {
      begin_[k] = begin[k];
      end_[k] = end[k];
    }
  }
};

struct ChunkSize {
  ChunkSize(int) {}
};

}  // namespace Kokkos
