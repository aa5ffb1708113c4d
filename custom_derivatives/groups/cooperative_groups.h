// Cooperative groups in terms of barriers and warp intrinsics: what cladpy reads where a program includes CUDA's header,
// and what the host backend runs. nvcc compiles CUDA's own.
#ifndef _COOPERATIVE_GROUPS_H_
#define _COOPERATIVE_GROUPS_H_

// Blocks do not wait for each other in one launch of a gradient.
__device__ void __barrier_of_grid();

namespace cooperative_groups {
namespace warps {

__device__ inline unsigned thread() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
__device__ inline unsigned threads() { return blockDim.x * blockDim.y * blockDim.z; }
__device__ inline unsigned lane() { return thread() % 32u; }

// The lanes of a mask that come before this one.
__device__ inline unsigned before(unsigned mask) { return mask & ((1u << lane()) - 1u); }

// The lane that has a rank among those of a mask.
__device__ inline int with_rank(unsigned mask, unsigned rank) {
  for (unsigned k = 0; k < rank; ++k) mask &= mask - 1u;
  return __ffs((int)mask) - 1;
}

// How many members an object of a class without constructors has: as many as it can be made of.
struct anything {
  template <class T>
  __device__ operator T() const;
};
template <class T, class... Given>
__device__ constexpr unsigned members(long) {
  return sizeof...(Given) - 1;
}
template <class T, class... Given>
__device__ constexpr auto members(int) -> decltype(T{Given()...}, 0u) {
  return members<T, Given..., anything>(0);
}

// What shuffles do for a number, and for an object member by member: it has at most 32 bytes.
template <class T, class Shuffle>
__device__ inline T moved(T value, Shuffle shuffle);

template <class Shuffle>
__device__ inline void move(Shuffle) {}
template <class Shuffle, class T, class... More>
__device__ inline void move(Shuffle shuffle, T &first, More &...more) {
  first = moved(first, shuffle);
  move(shuffle, more...);
}
template <class T, class Shuffle>
__device__ inline void move_members(T &value, Shuffle shuffle) {
  static_assert(sizeof(T) <= 32, "groups move objects of at most 32 bytes");
  constexpr unsigned count = members<T>(0);
  static_assert(count >= 1 && count <= 8, "groups move objects of up to eight members here");
  if constexpr (count == 1) {
    auto &[a] = value;
    move(shuffle, a);
  } else if constexpr (count == 2) {
    auto &[a, b] = value;
    move(shuffle, a, b);
  } else if constexpr (count == 3) {
    auto &[a, b, c] = value;
    move(shuffle, a, b, c);
  } else if constexpr (count == 4) {
    auto &[a, b, c, d] = value;
    move(shuffle, a, b, c, d);
  } else if constexpr (count == 5) {
    auto &[a, b, c, d, e] = value;
    move(shuffle, a, b, c, d, e);
  } else if constexpr (count == 6) {
    auto &[a, b, c, d, e, f] = value;
    move(shuffle, a, b, c, d, e, f);
  } else if constexpr (count == 7) {
    auto &[a, b, c, d, e, f, g] = value;
    move(shuffle, a, b, c, d, e, f, g);
  } else {
    auto &[a, b, c, d, e, f, g, h] = value;
    move(shuffle, a, b, c, d, e, f, g, h);
  }
}

// A vector's class has constructors on HIP.
struct is_number {};
struct has_two : is_number {};
struct has_three : has_two {};
struct has_four : has_three {};
template <unsigned Count, class T, class N>
__device__ constexpr void need_vector(const T &, const N &) {
  static_assert(sizeof(T) == Count * sizeof(N), "groups move numbers, vectors, and objects of classes without constructors");
}
template <class T, class Shuffle>
__device__ inline auto moved_whole(T value, Shuffle shuffle, has_four) -> decltype(value.w, T()) {
  need_vector<4>(value, value.x);
  move(shuffle, value.x, value.y, value.z, value.w);
  return value;
}
template <class T, class Shuffle>
__device__ inline auto moved_whole(T value, Shuffle shuffle, has_three) -> decltype(value.z, T()) {
  need_vector<3>(value, value.x);
  move(shuffle, value.x, value.y, value.z);
  return value;
}
template <class T, class Shuffle>
__device__ inline auto moved_whole(T value, Shuffle shuffle, has_two) -> decltype(value.y, T()) {
  need_vector<2>(value, value.x);
  move(shuffle, value.x, value.y);
  return value;
}
template <class T, class Shuffle>
__device__ inline T moved_whole(T value, Shuffle shuffle, is_number) {
  return shuffle(value);
}

template <class T, class Shuffle>
__device__ inline T moved(T value, Shuffle shuffle) {
  if constexpr (__is_class(T) && __is_aggregate(T)) {
    move_members(value, shuffle);
    return value;
  } else {
    return moved_whole(value, shuffle, has_four());
  }
}

struct any_lane {
  unsigned mask;
  int lane, width;
  template <class T>
  __device__ T operator()(T value) const {
    return __shfl_sync(mask, value, lane, width);
  }
};
struct lane_above {
  unsigned mask, delta;
  int width;
  template <class T>
  __device__ T operator()(T value) const {
    return __shfl_down_sync(mask, value, delta, width);
  }
};
struct lane_below {
  unsigned mask, delta;
  int width;
  template <class T>
  __device__ T operator()(T value) const {
    return __shfl_up_sync(mask, value, delta, width);
  }
};
struct other_lane {
  unsigned mask;
  int bits, width;
  template <class T>
  __device__ T operator()(T value) const {
    return __shfl_xor_sync(mask, value, bits, width);
  }
};

}  // namespace warps

// ---- blocks and grids -------------------------------------------------------------------------------------------------

class thread_block {
 public:
  __device__ static void sync() { __syncthreads(); }
  __device__ static unsigned thread_rank() { return warps::thread(); }
  __device__ static unsigned num_threads() { return warps::threads(); }
  __device__ static unsigned size() { return warps::threads(); }
  __device__ static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  __device__ static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  __device__ static dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  __device__ static dim3 dim_threads() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
};
__device__ inline thread_block this_thread_block() { return thread_block(); }

class grid_group {
 public:
  __device__ static bool is_valid() { return true; }
  __device__ static void sync() { __barrier_of_grid(); }
  __device__ static unsigned long long block_rank() {
    return blockIdx.x + 1ULL * gridDim.x * (blockIdx.y + 1ULL * gridDim.y * blockIdx.z);
  }
  __device__ static unsigned long long num_blocks() { return 1ULL * gridDim.x * gridDim.y * gridDim.z; }
  __device__ static unsigned long long thread_rank() { return block_rank() * warps::threads() + warps::thread(); }
  __device__ static unsigned long long num_threads() { return num_blocks() * warps::threads(); }
  __device__ static unsigned long long size() { return num_threads(); }
  __device__ static dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  __device__ static dim3 dim_blocks() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  __device__ static dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
};
__device__ inline grid_group this_grid() { return grid_group(); }

// ---- tiles ------------------------------------------------------------------------------------------------------------

template <unsigned Size, class Parent = void>
class thread_block_tile;

template <unsigned Size>
class thread_block_tile<Size, void> {
 public:
  static_assert(Size && Size <= 32 && !(Size & (Size - 1)), "a tile is a warp or a part of one");

  // The lanes of the tile.
  __device__ static unsigned mask() {
    return Size == 32 ? 0xffffffffu : ((1u << Size % 32) - 1u) << (warps::lane() & ~(Size - 1));
  }
  __device__ static void sync() { __syncwarp(mask()); }
  __device__ static unsigned thread_rank() { return warps::thread() % Size; }
  __device__ static constexpr unsigned num_threads() { return Size; }
  __device__ static constexpr unsigned size() { return Size; }
  __device__ static unsigned meta_group_rank() { return warps::thread() / Size; }
  __device__ static unsigned meta_group_size() { return (warps::threads() + Size - 1) / Size; }

  template <class T>
  __device__ T shfl(T value, int rank) const {
    return warps::moved(value, warps::any_lane{mask(), rank, Size});
  }
  template <class T>
  __device__ T shfl_down(T value, unsigned delta) const {
    return warps::moved(value, warps::lane_above{mask(), delta, Size});
  }
  template <class T>
  __device__ T shfl_up(T value, unsigned delta) const {
    return warps::moved(value, warps::lane_below{mask(), delta, Size});
  }
  template <class T>
  __device__ T shfl_xor(T value, unsigned bits) const {
    return warps::moved(value, warps::other_lane{mask(), (int)bits, Size});
  }
  __device__ int any(int predicate) const { return __any_sync(mask(), predicate); }
  __device__ int all(int predicate) const { return __all_sync(mask(), predicate); }
  __device__ unsigned ballot(int predicate) const { return numbered(__ballot_sync(mask(), predicate)); }
  template <class T>
  __device__ unsigned match_any(T value) const {
    return numbered(__match_any_sync(mask(), value));
  }
  template <class T>
  __device__ unsigned match_all(T value, int &predicate) const {
    return numbered(__match_all_sync(mask(), value, &predicate));
  }

 private:
  // Lanes of the warp as ranks in the tile.
  __device__ static unsigned numbered(unsigned lanes) { return lanes >> (warps::lane() & ~(Size - 1) & 31u); }
};

template <unsigned Size, class Parent>
class thread_block_tile : public thread_block_tile<Size, void> {};

template <unsigned Size, class Parent>
__device__ inline thread_block_tile<Size, Parent> tiled_partition(const Parent &) {
  return thread_block_tile<Size, Parent>();
}

// ---- the lanes that happen to be together -----------------------------------------------------------------------------

class coalesced_group {
 public:
  __device__ explicit coalesced_group(unsigned lanes) : mask_(lanes) {}
  __device__ unsigned mask() const { return mask_; }
  __device__ void sync() const { __syncwarp(mask_); }
  __device__ unsigned thread_rank() const { return __popc(warps::before(mask_)); }
  __device__ unsigned num_threads() const { return __popc(mask_); }
  __device__ unsigned size() const { return __popc(mask_); }

  template <class T>
  __device__ T shfl(T value, int rank) const {
    return warps::moved(value, warps::any_lane{mask_, warps::with_rank(mask_, rank), 32});
  }
  template <class T>
  __device__ T shfl_down(T value, unsigned delta) const {
    const unsigned rank = thread_rank() + delta;
    return shfl(value, (int)(rank < size() ? rank : thread_rank()));
  }
  template <class T>
  __device__ T shfl_up(T value, unsigned delta) const {
    const unsigned rank = thread_rank();
    return shfl(value, (int)(rank >= delta ? rank - delta : rank));
  }
  __device__ int any(int predicate) const { return __any_sync(mask_, predicate); }
  __device__ int all(int predicate) const { return __all_sync(mask_, predicate); }
  __device__ unsigned ballot(int predicate) const { return numbered(__ballot_sync(mask_, predicate)); }
  template <class T>
  __device__ unsigned match_any(T value) const {
    return numbered(__match_any_sync(mask_, value));
  }

 private:
  // Lanes of the warp as ranks in the group.
  __device__ unsigned numbered(unsigned lanes) const {
    unsigned ranks = 0, rank = 0;
    for (unsigned rest = mask_; rest; rest &= rest - 1u) {
      if (lanes & rest & (0u - rest)) ranks |= 1u << rank;
      rank += 1;
    }
    return ranks;
  }

  unsigned mask_;
};
__device__ inline coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

template <class Group>
__device__ inline coalesced_group labeled_partition(const Group &group, int label) {
  return coalesced_group(__match_any_sync(group.mask(), label));
}
template <class Group>
__device__ inline coalesced_group binary_partition(const Group &group, bool predicate) {
  const unsigned with = __ballot_sync(group.mask(), predicate);
  return coalesced_group(predicate ? with : group.mask() & ~with);
}

// ---- what all groups have ---------------------------------------------------------------------------------------------

template <class Group>
__device__ inline void sync(const Group &group) {
  group.sync();
}
template <class Group>
__device__ inline unsigned thread_rank(const Group &group) {
  return group.thread_rank();
}
template <class Group>
__device__ inline unsigned group_size(const Group &group) {
  return group.size();
}

}  // namespace cooperative_groups

#endif
