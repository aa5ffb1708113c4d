// Products of matrices on the host: panels of both factors in the cache, tiles of them in registers. Part of
// <cladpy/contraction.h>.
#ifndef CLADPY_HOST_PRODUCTS_H
#define CLADPY_HOST_PRODUCTS_H

namespace cladpy {
namespace host {

#if defined(__GNUC__) && !defined(__clang__)
#define CLADPY_HOST_PRODUCT __attribute__((CLADPY_HOST_TARGET noinline, optimize("fp-contract=fast")))
#else
#define CLADPY_HOST_PRODUCT __attribute__((CLADPY_HOST_TARGET noinline))
#endif

template <class T>
struct panels_of_product {
  typedef T vector __attribute__((vector_size(64), may_alias));
  struct alignas(64) line_of_cache {
    T at[64 / sizeof(T)];
  };
  static constexpr int lanes = 64 / static_cast<int>(sizeof(T)), width = 2 * lanes, height = 6;  // of a tile in registers
  static constexpr long deep = 256, high = 8 * height;                                          // of a panel

  const matrix_product<T> &of;
  long batch, from, steps;          // the depths of the panels
  std::vector<line_of_cache> right; // by tiles, each with its columns side by side for every depth

  explicit panels_of_product(const matrix_product<T> &product)
      : of(product), batch(0), from(0), steps(0), right(static_cast<std::size_t>((product.columns + width - 1) / width * 2 * deep)) {}

  // The right factor's panel for the columns of a tile.
  CLADPY_HOST_PRODUCT void fill_right(long tile) {
    T *to = right[static_cast<std::size_t>(tile * 2 * deep)].at;
    const T *const y = of.y + of.y_batches.at(batch);
    const long first = tile * width, there = of.columns - first < width ? of.columns - first : width;
    if (of.y_depth.is_dense()) {
      for (long c = 0; c < width; ++c) {
        const T *const line = y + of.y_columns.at(c < there ? first + c : first) + from;
        for (long k = 0; k < steps; ++k) to[k * width + c] = c < there ? line[k] : T(0);
      }
      return;
    }
    for (long k = 0; k < steps; ++k, to += width) {
      const T *const line = y + of.y_depth.at(from + k);
      if (there == width && of.y_columns.is_dense()) {
        for (long c = 0; c < width; ++c) to[c] = line[first + c];
      } else {
        for (long c = 0; c < width; ++c) to[c] = c < there ? line[of.y_columns.at(first + c)] : T(0);
      }
    }
  }

  // All columns of some rows.
  CLADPY_HOST_PRODUCT void rows(long panel) {
    T left[high * deep];
    const T *const x = of.x + of.x_batches.at(batch);
    const long first = panel * high, there = of.rows - first < high ? of.rows - first : high;
    for (long r = 0; r < there; r += height) {
      const T *lines[height];
      for (long c = 0; c < height; ++c) lines[c] = x + of.x_rows.at(r + c < there ? first + r + c : first);
      T *to = left + r * deep;
      if (of.x_depth.is_dense()) {
        for (long k = 0; k < steps; ++k, to += height)
          for (int c = 0; c < height; ++c) to[c] = lines[c][from + k];
      } else {
        for (long k = 0; k < steps; ++k, to += height) {
          const long at = of.x_depth.at(from + k);
          for (int c = 0; c < height; ++c) to[c] = lines[c][at];
        }
      }
    }
    T *const out = of.out + of.out_batches.at(batch);
    for (long tile = 0; tile * width < of.columns; ++tile) {
      const vector *const columns = reinterpret_cast<const vector *>(&right[static_cast<std::size_t>(tile * 2 * deep)]);
      for (long r = 0; r < there; r += height) {
        vector sum[height][2] = {};
        const T *line = left + r * deep;
        for (long k = 0; k < steps; ++k, line += height) {
          const vector near = columns[2 * k], far = columns[2 * k + 1];
#pragma GCC unroll 8
          for (int c = 0; c < height; ++c) {
            sum[c][0] += line[c] * near;
            sum[c][1] += line[c] * far;
          }
        }
        const T *sums = reinterpret_cast<const T *>(&sum);
        const bool replaced = of.replaced && from == 0, dense = of.out_columns.is_dense();
        const long begin = tile * width, across = of.columns - begin < width ? of.columns - begin : width;
        for (long c = 0; c < height && r + c < there; ++c, sums += width) {
          T *const to = out + of.out_rows.at(first + r + c), *const side = to + begin;
          if (dense && replaced)
            for (long q = 0; q < across; ++q) side[q] = sums[q];
          else if (dense)
            for (long q = 0; q < across; ++q) side[q] += sums[q];
          else
            for (long q = 0; q < across; ++q) {
              T &at = to[of.out_columns.at(begin + q)];
              at = replaced ? sums[q] : at + sums[q];
            }
        }
      }
    }
  }

  // Calls `run(k)` for each k below a count, on all cores.
  template <class Run>
  void each(long count, const Run &run) const {
#if defined(CLADPY_HOST_FIBERS)
    for (long k = 0; k < count; ++k) run(k);
#else
    const bool large = of.rows * of.columns * steps >= 1000000;
    workers.run(static_cast<unsigned>(count), large, [](void *body, unsigned k) { (*static_cast<const Run *>(body))(k); }, const_cast<Run *>(&run));
#endif
  }

  void run() {
    for (batch = 0; batch < of.batches; ++batch)
      for (from = 0; from == 0 || from < of.depth; from += deep) {
        steps = of.depth - from < deep ? of.depth - from : deep;
        each((of.columns + width - 1) / width, [&](long tile) { fill_right(tile); });
        each((of.rows + high - 1) / high, [&](long panel) { rows(panel); });
      }
  }
};

} // namespace host

template <class T>
runtime_error_t multiply(const matrix_product<T> &one, runtime_stream_t) {
  const matrix_product<T> of = one.by_columns();
  if (!of.is_empty()) host::panels_of_product<T>(of).run();
  return cudaSuccess;
}
template <class T>
runtime_error_t multiply(const matrix_product<T> &first, const matrix_product<T> &second, runtime_stream_t stream) {
  (void)multiply(first, stream);
  return multiply(second, stream);
}

// Memory that is all zero; null where there is none.
template <class T>
T *take_scratch(long count, runtime_stream_t) { return static_cast<T *>(std::calloc(static_cast<std::size_t>(count), sizeof(T))); }
template <class T>
void give_scratch(T *memory, runtime_stream_t) { std::free(memory); }

} // namespace cladpy

#endif
