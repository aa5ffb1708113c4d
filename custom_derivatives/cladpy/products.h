// Products of matrices on a GPU, in tiles of shared memory and of registers. Part of <cladpy/contraction.h>.
#ifndef CLADPY_PRODUCTS_H
#define CLADPY_PRODUCTS_H

#include <cladpy/launch.h>

namespace cladpy {

template <class T>
struct alignas(16) four_of {
  T at[4];
};

// Four elements of a factor for a tile: along the depth or along the tile, at once where memory is so.
template <class T>
__device__ inline four_of<T> four_elements(const T *memory, const strides_along &tile, long at, long count, const strides_along &depth, long from, long until, bool along_depth, bool at_once) {
  four_of<T> found;
  if (along_depth) {
    memory += tile.at(at);
    if (at_once && at < count && from + 4 <= until) return *reinterpret_cast<const four_of<T> *>(memory + from);
#pragma unroll
    for (int c = 0; c < 4; ++c) found.at[c] = at < count && from + c < until ? memory[depth.at(from + c)] : T(0);
  } else {
    memory += depth.at(from);
    if (at_once && from < until && at + 4 <= count) return *reinterpret_cast<const four_of<T> *>(memory + at);
#pragma unroll
    for (int c = 0; c < 4; ++c) found.at[c] = from < until && at + c < count ? memory[tile.at(at + c)] : T(0);
  }
  return found;
}

// How the threads of a block share a factor's part of a tile: each has four elements of Tile x Depth.
template <class T, int Tile, int Depth>
struct share_of_tile {
  bool along_depth, at_once;
  int tile, depth;  // the first of the four

  __device__ share_of_tile(bool along_the_depth, bool four_at_once) : along_depth(along_the_depth), at_once(four_at_once) {
    const int t = static_cast<int>(threadIdx.x);
    tile = along_depth ? t / (Depth / 4) : t % (Tile / 4) * 4;
    depth = along_depth ? t % (Depth / 4) * 4 : t / (Tile / 4);
  }
  __device__ void put(T (*to)[Tile + 4], const four_of<T> &found) const {
    if (along_depth) {
#pragma unroll
      for (int c = 0; c < 4; ++c) to[depth + c][tile] = found.at[c];
    } else {
      *reinterpret_cast<four_of<T> *>(&to[depth][tile]) = found;
    }
  }
};

// How a product is divided: how its factors are fetched, and whether its result is written four elements at a time.
template <class T>
struct tiled_product {
  matrix_product<T> of;
  bool x_along_depth, x_at_once, y_along_depth, y_at_once, out_at_once;
  unsigned tiles_down, tiles_across;

  tiled_product() : tiled_product(matrix_product<T>{}, 1) {}
  tiled_product(const matrix_product<T> &product, int tile) : of(product.by_columns()) {
    x_along_depth = !of.x_rows.is_dense();
    y_along_depth = !of.y_columns.is_dense();
    x_at_once = fits(of.x, x_along_depth ? of.x_depth : of.x_rows, x_along_depth ? of.x_rows : of.x_depth, of.x_batches);
    y_at_once = fits(of.y, y_along_depth ? of.y_depth : of.y_columns, y_along_depth ? of.y_columns : of.y_depth, of.y_batches);
    out_at_once = fits(of.out, of.out_columns, of.out_rows, of.out_batches);
    tiles_down = of.is_empty() ? 0 : static_cast<unsigned>((of.rows + tile - 1) / tile);
    tiles_across = of.is_empty() ? 0 : static_cast<unsigned>((of.columns + tile - 1) / tile);
  }
  unsigned long long blocks() const { return 1ULL * tiles_down * tiles_across * static_cast<unsigned long long>(of.batches); }

 private:
  static bool fits(const T *memory, const strides_along &dense, const strides_along &other, const strides_along &batches) {
    const bool whole = (other.near | other.far | batches.near | batches.far) % 4 == 0;
    return dense.is_dense() && whole && reinterpret_cast<unsigned long long>(memory) % 16 == 0;
  }
};

// A block computes one tile of the one product or the other; each of its 256 threads has Tile / 16 rows and columns of it.
template <class T, int Tile>
__global__ void __launch_bounds__(256) multiply_tiles(const tiled_product<T> first, const tiled_product<T> second, unsigned of_first) {
  constexpr int Depth = 1024 / Tile, Each = Tile / 16;
  alignas(16) __shared__ T xs[2][Depth][Tile + 4];
  alignas(16) __shared__ T ys[2][Depth][Tile + 4];
  const bool is_first = blockIdx.x < of_first;
  const tiled_product<T> &tiled = is_first ? first : second;
  const matrix_product<T> &of = tiled.of;
  unsigned number = is_first ? blockIdx.x : blockIdx.x - of_first;

  // Neighbouring blocks have tiles of eight rows, so that what they read stays in the cache.
  const unsigned each = tiled.tiles_down * tiled.tiles_across, batch = number / each;
  number %= each;
  const unsigned band = number / (8 * tiled.tiles_across), in_band = number % (8 * tiled.tiles_across);
  const unsigned high = tiled.tiles_down - band * 8 < 8 ? tiled.tiles_down - band * 8 : 8;
  const long row = 1L * (band * 8 + in_band % high) * Tile, column = 1L * (in_band / high) * Tile;

  const T *const x = of.x + of.x_batches.at(batch), *const y = of.y + of.y_batches.at(batch);
  const share_of_tile<T, Tile, Depth> my_x(tiled.x_along_depth, tiled.x_at_once), my_y(tiled.y_along_depth, tiled.y_at_once);
  const auto next_x = [&](long at) {
    return four_elements(x, of.x_rows, row + my_x.tile, of.rows, of.x_depth, at + my_x.depth, of.depth, my_x.along_depth, my_x.at_once);
  };
  const auto next_y = [&](long at) {
    return four_elements(y, of.y_columns, column + my_y.tile, of.columns, of.y_depth, at + my_y.depth, of.depth, my_y.along_depth, my_y.at_once);
  };

  // A warp has four times eight threads of the tile.
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  const int down = (warp / 2 * 4 + lane / 8) * 4, across = (warp % 2 * 8 + lane % 8) * 4;
  T sum[Each][Each] = {};
  my_x.put(xs[0], next_x(0));
  my_y.put(ys[0], next_y(0));
  __syncthreads();
  int turn = 0;
  for (long at = 0; at < of.depth; at += Depth) {
    const bool more = at + Depth < of.depth;
    four_of<T> fetched_x, fetched_y;
    if (more) {
      fetched_x = next_x(at + Depth);
      fetched_y = next_y(at + Depth);
    }
#pragma unroll
    for (int k = 0; k < Depth; ++k) {
      four_of<T> left[Each / 4], right[Each / 4];
#pragma unroll
      for (int g = 0; g < Each / 4; ++g) {
        left[g] = *reinterpret_cast<const four_of<T> *>(&xs[turn][k][g * 64 + down]);
        right[g] = *reinterpret_cast<const four_of<T> *>(&ys[turn][k][g * 64 + across]);
      }
#pragma unroll
      for (int r = 0; r < Each; ++r)
#pragma unroll
        for (int c = 0; c < Each; ++c) sum[r][c] += left[r / 4].at[r % 4] * right[c / 4].at[c % 4];
    }
    if (more) {
      my_x.put(xs[turn ^ 1], fetched_x);
      my_y.put(ys[turn ^ 1], fetched_y);
    }
    __syncthreads();
    turn ^= 1;
  }

  T *const out = of.out + of.out_batches.at(batch);
#pragma unroll
  for (int r = 0; r < Each; ++r) {
    const long p = row + r / 4 * 64 + down + r % 4;
    if (p >= of.rows) continue;
    T *const line = out + of.out_rows.at(p);
#pragma unroll
    for (int g = 0; g < Each / 4; ++g) {
      const long q = column + g * 64 + across;
      if (tiled.out_at_once && q + 4 <= of.columns) {
        four_of<T> *const at = reinterpret_cast<four_of<T> *>(line + q);
        four_of<T> all = {{sum[r][4 * g], sum[r][4 * g + 1], sum[r][4 * g + 2], sum[r][4 * g + 3]}};
        if (!of.replaced) {
          const four_of<T> before = *at;
#pragma unroll
          for (int c = 0; c < 4; ++c) all.at[c] += before.at[c];
        }
        *at = all;
      } else {
#pragma unroll
        for (int c = 0; c < 4; ++c)
          if (q + c < of.columns) {
            T &at = line[of.out_columns.at(q + c)];
            at = of.replaced ? sum[r][4 * g + c] : at + sum[r][4 * g + c];
          }
      }
    }
  }
}

template <class T, int Tile>
runtime_error_t multiply_by_tiles(const matrix_product<T> &one, const matrix_product<T> &other, runtime_stream_t stream) {
  const tiled_product<T> first(one, Tile), second(other, Tile);
  const unsigned long long blocks = first.blocks() + second.blocks();
  if (!blocks) return CLADPY_RUNTIME(Success);
  multiply_tiles<T, Tile><<<static_cast<unsigned>(blocks), 256, 0, stream>>>(first, second, static_cast<unsigned>(first.blocks()));
  return last_error();
}

// Two products at once, in large tiles of floats where there are enough of them for all processors.
template <class T>
runtime_error_t multiply(const matrix_product<T> &first, const matrix_product<T> &second, runtime_stream_t stream) {
  if (sizeof(T) == 4) {
    int processors = 0;
    const runtime_error_t error = attribute_of_device(&processors, false);
    if (error != CLADPY_RUNTIME(Success)) return error;
    const unsigned long long large = tiled_product<T>(first, 128).blocks() + tiled_product<T>(second, 128).blocks();
    if (large >= static_cast<unsigned long long>(processors)) return multiply_by_tiles<T, sizeof(T) == 4 ? 128 : 64>(first, second, stream);
  }
  return multiply_by_tiles<T, 64>(first, second, stream);
}
template <class T>
runtime_error_t multiply(const matrix_product<T> &one, runtime_stream_t stream) { return multiply(one, matrix_product<T>{}, stream); }

// Memory of the stream's, all zero; null where there is none.
template <class T>
T *take_scratch(long count, runtime_stream_t stream) {
  T *found = nullptr;
  const size_t bytes = sizeof(T) * static_cast<size_t>(count);
  if (CLADPY_RUNTIME(MallocAsync)(reinterpret_cast<void **>(&found), bytes, stream) != CLADPY_RUNTIME(Success)) {
    (void)last_error();
    return nullptr;
  }
  if (CLADPY_RUNTIME(MemsetAsync)(found, 0, bytes, stream) == CLADPY_RUNTIME(Success)) return found;
  (void)CLADPY_RUNTIME(FreeAsync)(found, stream);
  return nullptr;
}
template <class T>
void give_scratch(T *memory, runtime_stream_t stream) { (void)CLADPY_RUNTIME(FreeAsync)(memory, stream); }

} // namespace cladpy

#endif
