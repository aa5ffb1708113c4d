// KokkosKernels' functions of dense vectors and matrices, as loops: emitted code has these, and calls nothing of KokkosKernels.
#pragma once

#include <Kokkos_Core.hpp>

namespace Kokkos {
namespace cladpy_kokkos {

// What a program says of a matrix: 'N' for the matrix as it is, 'T' and 'C' for its transpose. It is a literal.
struct operation {
  bool is_transposed;
  operation(const char *mode) __attribute__((enable_if(mode[0] == 'N' || mode[0] == 'n', "as it is"))) : is_transposed(false) {}
  operation(const char *mode) __attribute__((enable_if(mode[0] == 'T' || mode[0] == 't' || mode[0] == 'C' || mode[0] == 'c', "turned")))
      : is_transposed(true) {}
  operation(const char *) __attribute__((unavailable("Kokkos: whether a matrix is transposed is said by a literal, such as \"N\" or \"T\"")));
};

template <class V, int rank>
constexpr bool has_rank = V::rank == rank && std::is_same_v<typename V::memory_space, DefaultExecutionSpace_space>;

}  // namespace cladpy_kokkos
}  // namespace Kokkos

namespace KokkosBlas {

template <class X, class Y>
inline typename X::non_const_value_type dot(const X &x, const Y &y) {
  static_assert(Kokkos::cladpy_kokkos::has_rank<X, 1> && Kokkos::cladpy_kokkos::has_rank<Y, 1>,
                "Kokkos: dot is of views of rank 1 in the default memory space");
  using T = typename X::non_const_value_type;
  T sum = 0;
  Kokkos::parallel_reduce(x.extent(0), KOKKOS_LAMBDA(const long i, T &s) { s += x(i) * y(i); }, sum);
  return sum;
}
template <class X>
inline typename X::non_const_value_type nrm2_squared(const X &x) { return dot(x, x); }
template <class X>
inline typename X::non_const_value_type nrm2(const X &x) { return Kokkos::sqrt(dot(x, x)); }
template <class X>
inline typename X::non_const_value_type nrm1(const X &x) {
  static_assert(Kokkos::cladpy_kokkos::has_rank<X, 1>, "Kokkos: nrm1 is of views of rank 1 in the default memory space");
  using T = typename X::non_const_value_type;
  T sum = 0;
  Kokkos::parallel_reduce(x.extent(0), KOKKOS_LAMBDA(const long i, T &s) { s += Kokkos::fabs(x(i)); }, sum);
  return sum;
}
template <class X>
inline typename X::non_const_value_type sum(const X &x) {
  static_assert(Kokkos::cladpy_kokkos::has_rank<X, 1>, "Kokkos: sum is of views of rank 1 in the default memory space");
  using T = typename X::non_const_value_type;
  T sum = 0;
  Kokkos::parallel_reduce(x.extent(0), KOKKOS_LAMBDA(const long i, T &s) { s += x(i); }, sum);
  return sum;
}

template <class A, class X, class B, class Y>
inline void axpby(const A &alpha, const X &x, const B &beta, const Y &y) {
  static_assert(std::is_arithmetic_v<A> && std::is_arithmetic_v<B>, "Kokkos: axpby has numbers as factors");
  static_assert(Kokkos::cladpy_kokkos::has_rank<X, 1> && Kokkos::cladpy_kokkos::has_rank<Y, 1>,
                "Kokkos: axpby is of views of rank 1 in the default memory space");
  using T = typename Y::non_const_value_type;
  const T a = alpha, b = beta;
  Kokkos::parallel_for(y.extent(0), KOKKOS_LAMBDA(const long i) { y(i) = (a == T(0) ? T(0) : a * x(i)) + (b == T(0) ? T(0) : b * y(i)); });
}
template <class A, class X, class Y>
inline void axpy(const A &alpha, const X &x, const Y &y) {
  static_assert(std::is_arithmetic_v<A>, "Kokkos: axpy has a number as its factor");
  static_assert(Kokkos::cladpy_kokkos::has_rank<X, 1> && Kokkos::cladpy_kokkos::has_rank<Y, 1>,
                "Kokkos: axpy is of views of rank 1 in the default memory space");
  using T = typename Y::non_const_value_type;
  const T a = alpha;
  Kokkos::parallel_for(y.extent(0), KOKKOS_LAMBDA(const long i) { y(i) += a * x(i); });
}
template <class Y, class A, class X>
inline void scal(const Y &y, const A &alpha, const X &x) {
  static_assert(std::is_arithmetic_v<A>, "Kokkos: scal has a number as its factor");
  static_assert(Kokkos::cladpy_kokkos::has_rank<X, 1> && Kokkos::cladpy_kokkos::has_rank<Y, 1>,
                "Kokkos: scal is of views of rank 1 in the default memory space");
  using T = typename Y::non_const_value_type;
  const T a = alpha;
  Kokkos::parallel_for(y.extent(0), KOKKOS_LAMBDA(const long i) { y(i) = a * x(i); });
}

// y = alpha * op(A) * x + beta * y. Where beta is zero, it does not matter what y holds.
template <class A, class X, class Y>
inline void gemv(const Kokkos::cladpy_kokkos::operation &mode, typename A::const_value_type &alpha, const A &a, const X &x, typename Y::const_value_type &beta, const Y &y) {
  static_assert(Kokkos::cladpy_kokkos::has_rank<A, 2> && Kokkos::cladpy_kokkos::has_rank<X, 1> && Kokkos::cladpy_kokkos::has_rank<Y, 1>,
                "Kokkos: gemv is of a view of rank 2 and two of rank 1 in the default memory space");
  using T = typename Y::non_const_value_type;
  const bool transposed = mode.is_transposed;
  const long inner = transposed ? long(a.extent(0)) : long(a.extent(1));
  const T factor = alpha, old = beta;
  Kokkos::parallel_for(y.extent(0), KOKKOS_LAMBDA(const long i) {
    T sum = 0;
    for (long k = 0; k < inner; ++k) sum += (transposed ? a(k, i) : a(i, k)) * x(k);
    y(i) = factor * sum + (old == T(0) ? T(0) : old * y(i));
  });
}

// C = alpha * op(A) * op(B) + beta * C
template <class A, class B, class C>
inline void gemm(const Kokkos::cladpy_kokkos::operation &a_mode, const Kokkos::cladpy_kokkos::operation &b_mode, typename A::const_value_type &alpha, const A &a, const B &b,
                 typename C::const_value_type &beta, const C &c) {
  static_assert(Kokkos::cladpy_kokkos::has_rank<A, 2> && Kokkos::cladpy_kokkos::has_rank<B, 2> && Kokkos::cladpy_kokkos::has_rank<C, 2>,
                "Kokkos: gemm is of views of rank 2 in the default memory space");
  using T = typename C::non_const_value_type;
  const bool a_turned = a_mode.is_transposed, b_turned = b_mode.is_transposed;
  const long inner = a_turned ? long(a.extent(0)) : long(a.extent(1));
  const T factor = alpha, old = beta;
  const long rows = long(c.extent(0)), columns = long(c.extent(1));
  Kokkos::parallel_for(Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {rows, columns}), KOKKOS_LAMBDA(const long i, const long j) {
    T sum = 0;
    for (long k = 0; k < inner; ++k) sum += (a_turned ? a(k, i) : a(i, k)) * (b_turned ? b(j, k) : b(k, j));
    c(i, j) = factor * sum + (old == T(0) ? T(0) : old * c(i, j));
  });
}

}  // namespace KokkosBlas
