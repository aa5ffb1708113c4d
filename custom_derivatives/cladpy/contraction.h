// The adjoints of a contraction, C[i, j] = sum of A[i, k] * B[k, j] over k: dA[i, k] += sum of dC[i, j] * B[k, j], and
// dB[k, j] += sum of A[i, k] * dC[i, j]. A launch says how many rows i, columns j, depths k and batches there are, and how far
// apart elements are along them; whether the products may run in place of the kernel's gradient, `begin` finds out.
#if !defined(CLADPY_CONTRACTION_H) && !defined(__CUDACC_RTC__)  // NVRTC has nothing of the host's
#define CLADPY_CONTRACTION_H

#include <cladpy/runtime_api.h>

namespace cladpy {

// Where elements lie along a dimension: in two nested runs, of which the inner one has so many.
struct strides_along {
  long inner = 1, near = 0, far = 0;

  __host__ __device__ long at(long i) const { return far ? i % inner * near + i / inner * far : i * near; }
  __host__ __device__ bool is_dense() const { return near == 1 && far == 0; }
};

// out[p, q] (+)= sum of x[p, s] * y[s, q] over s, for all z.
template <class T>
struct matrix_product {
  const T *x, *y;
  T *out;
  bool replaced;
  long rows, columns, depth, batches;
  strides_along x_rows, x_depth, x_batches, y_columns, y_depth, y_batches, out_rows, out_columns, out_batches;

  // Rows become columns, so that what is dense in the result is the columns.
  matrix_product turned() const {
    return {y, x, out, replaced, columns, rows, depth, batches, y_columns, y_depth, y_batches, x_rows, x_depth, x_batches, out_columns, out_rows, out_batches};
  }
  matrix_product by_columns() const { return out_rows.is_dense() && !out_columns.is_dense() ? turned() : *this; }
  bool is_empty() const { return !rows || !columns || !batches || !out || (!depth && !replaced); }
};

} // namespace cladpy

#if defined(CLADPY_HOST_H)
#include <cladpy/host/products.h>
#else
#include <cladpy/products.h>
#endif

namespace cladpy {

// A factor: where it begins in an argument, and whether its adjoint is known to be zero.
template <class T>
struct factor {
  const T *memory;
  T *adjoint;
  long base;
  bool replaced;
};

template <class T>
class contraction {
 public:
  contraction(dim3 grid, dim3 block, runtime_stream_t stream, factor<T> first, factor<T> second, bool with_sums)
      : threads_(1L * grid.x * grid.y * grid.z * block.x * block.y * block.z), stream_(stream), first_(first), second_(second), with_sums_(with_sums) {}
  contraction(const contraction &) = delete;
  contraction &operator=(const contraction &) = delete;
  ~contraction() {
    if (cotangents_) give_scratch(cotangents_, stream_);
  }

  // So many of them, but no more than each limit; strides in the factors, and among the sums of the threads.
  template <class... L>
  void rows(long first, long place, long count, L... limits) { rows_.add(smallest(count, limits...), first, 0, place); }
  template <class... L>
  void columns(long second, long place, long count, L... limits) { columns_.add(smallest(count, limits...), 0, second, place); }
  template <class... L>
  void batches(long first, long second, long place, long count, L... limits) { batches_.add(smallest(count, limits...), first, second, place); }
  template <class... L>
  void depth(long first, long second, long count, L... limits) { depth_.add(smallest(count, limits...), first, second, 0); }

  // Whether no two elements of a factor's adjoint are one, and there is memory for what lies between. Computes the sums where
  // these are asked for.
  bool begin() {
    if (first_.adjoint && !are_apart(rows_, of_first)) return false;
    if (second_.adjoint && !are_apart(columns_, of_second)) return false;
    cotangents_ = take_scratch<T>((with_sums_ ? 2 : 1) * threads_, stream_);
    if (!cotangents_) return false;
    return !with_sums_ || multiply(product(first(), of_first, rows_, depth_, second(), of_second, columns_, sums(), of_place, true), stream_) == CLADPY_RUNTIME(Success);
  }
  T *cotangents() const { return cotangents_; }
  T *sums() const { return cotangents_ + threads_; }

  // The products, after what the epilogue has given.
  runtime_error_t finish(runtime_error_t error) const {
    if (error != CLADPY_RUNTIME(Success)) return error;
    matrix_product<T> left{}, right{};
    if (first_.adjoint) left = product(cotangents_, of_place, rows_, columns_, second(), of_second, depth_, first_.adjoint + first_.base, of_first, first_.replaced);
    if (second_.adjoint) right = product(first(), of_first, depth_, rows_, cotangents_, of_place, columns_, second_.adjoint + second_.base, of_second, second_.replaced);
    if (first_.adjoint != second_.adjoint) return multiply(left, right, stream_);
    error = multiply(left, stream_);
    return error == CLADPY_RUNTIME(Success) ? multiply(right, stream_) : error;
  }

 private:
  enum stride { of_first, of_second, of_place };
  struct run {
    long count, strides[3];
  };
  struct dimension {
    run runs[2] = {{1, {0, 0, 0}}, {1, {0, 0, 0}}};
    int known = 0;

    void add(long count, long in_first, long in_second, long in_place) { runs[known++] = {count < 0 ? 0 : count, {in_first, in_second, in_place}}; }
    long count() const { return runs[0].count * runs[1].count; }
    strides_along along(stride which) const {
      return {runs[0].count ? runs[0].count : 1, runs[0].strides[which], runs[1].count == 1 ? 0 : runs[1].strides[which]};
    }
  };

  template <class... L>
  static long smallest(long count, L... limits) {
    for (const long limit : {count, static_cast<long>(limits)...})
      if (limit < count) count = limit;
    return count;
  }

  bool are_apart(const dimension &own, stride which) const {
    run all[6] = {own.runs[0], own.runs[1], depth_.runs[0], depth_.runs[1], batches_.runs[0], batches_.runs[1]};
    const auto distance = [which](const run &of) { return of.strides[which] < 0 ? -of.strides[which] : of.strides[which]; };
    long reach = 0;
    for (int taken = 0; taken < 6; ++taken) {  // by their strides, the smallest first
      int next = taken;
      for (int k = taken + 1; k < 6; ++k)
        if (distance(all[k]) < distance(all[next])) next = k;
      const run here = all[next];
      all[next] = all[taken];
      if (here.count <= 1) continue;
      if (distance(here) <= reach) return false;
      reach += (here.count - 1) * distance(here);
    }
    return true;
  }

  const T *first() const { return first_.memory + first_.base; }
  const T *second() const { return second_.memory + second_.base; }

  matrix_product<T> product(const T *x, stride in_x, const dimension &rows, const dimension &depth, const T *y, stride in_y, const dimension &columns, T *out, stride in_out, bool replaced) const {
    return {x, y, out, replaced, rows.count(), columns.count(), depth.count(), batches_.count(),
            rows.along(in_x), depth.along(in_x), batches_.along(in_x), columns.along(in_y), depth.along(in_y), batches_.along(in_y),
            rows.along(in_out), columns.along(in_out), batches_.along(in_out)};
  }

  long threads_;
  runtime_stream_t stream_;
  factor<T> first_, second_;
  bool with_sums_;
  T *cotangents_ = nullptr;
  dimension rows_, columns_, depth_, batches_;
};

} // namespace cladpy

#endif
