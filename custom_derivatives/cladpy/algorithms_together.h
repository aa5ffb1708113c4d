// Ranges that are made of others, and expressions in place of function objects. Part of <cladpy/algorithms.h>.
#pragma once

#include <utility>

namespace cladpy {
namespace algorithms {

// ---- ranges ----

template <class A, class... Others> struct ranges {
  A first;
  ranges<Others...> others;
};
template <class A> struct ranges<A> {
  A first;
};
template <class A> ranges<A> together(A a) { return {a}; }
template <class A, class B, class... Others> ranges<A, B, Others...> together(A a, B b, Others... others) {
  return {a, together(b, others...)};
}

// Several ranges as one of tuples.
template <class Tuple, class... Ranges> struct zipped {
  ranges<Ranges...> in;
  __host__ __device__ Tuple operator[](std::size_t i) const { return made(in, i); }

private:
  template <class A, class... Elements> __host__ __device__ static Tuple made(const ranges<A> &in, std::size_t i, Elements &&...before) {
    return Tuple(static_cast<Elements &&>(before)..., in.first[i]);
  }
  template <class A, class B, class... Others, class... Elements>
  __host__ __device__ static Tuple made(const ranges<A, B, Others...> &in, std::size_t i, Elements &&...before) {
    return made(in.others, i, static_cast<Elements &&>(before)..., in.first[i]);
  }
};

// The elements that a map names, to be written.
template <class Out, class Map> struct placed {
  Out out;
  Map map;
  __host__ __device__ auto operator[](std::size_t i) const -> decltype(out[0]) { return out[map[i]]; }
};

// What nobody keeps.
struct discarded {
  struct element {
    template <class T> __host__ __device__ const element &operator=(const T &) const { return *this; }
  };
  __host__ __device__ element operator[](std::size_t) const { return element(); }
};

// ---- expressions of the arguments of an operation ----

template <class E> struct expression {};
template <std::size_t place> struct argument : expression<argument<place>> {
  template <class A> __host__ __device__ const A &operator()(const A &a) const { return a; }
  template <class A, class B> __host__ __device__ typename std::conditional<place == 0, const A &, const B &>::type operator()(const A &a, const B &b) const {
    return pick(std::integral_constant<std::size_t, place>(), a, b);
  }

private:
  template <class A, class B> __host__ __device__ static const A &pick(std::integral_constant<std::size_t, 0>, const A &a, const B &) { return a; }
  template <class A, class B> __host__ __device__ static const B &pick(std::integral_constant<std::size_t, 1>, const A &, const B &b) { return b; }
};
template <class T> struct value : expression<value<T>> {
  T constant;
  __host__ __device__ explicit value(const T &v) : constant(v) {}
  template <class... A> __host__ __device__ const T &operator()(const A &...) const { return constant; }
};
template <class E> const E &as_expression(const expression<E> &e) { return static_cast<const E &>(e); }
template <class T, class = typename std::enable_if<std::is_arithmetic<T>::value>::type> value<T> as_expression(T constant) {
  return value<T>(constant);
}
template <class Op, class L, class R> struct both : expression<both<Op, L, R>> {
  L left;
  R right;
  __host__ __device__ both(const L &l, const R &r) : left(l), right(r) {}
  template <class... A> __host__ __device__ auto operator()(const A &...a) const { return Op::of(left(a...), right(a...)); }
};
template <class L, class R>
using if_expression = typename std::enable_if<std::is_base_of<expression<L>, L>::value || std::is_base_of<expression<R>, R>::value>::type;

#define CLADPY_EXPRESSION(name, op)                                                                                    \
  struct name {                                                                                                        \
    template <class A, class B> __host__ __device__ static auto of(const A &a, const B &b) { return a op b; }          \
  };                                                                                                                   \
  template <class L, class R, class = if_expression<L, R>> auto operator op(const L &l, const R &r) {                  \
    typedef typename std::decay<decltype(as_expression(l))>::type Left;                                                \
    typedef typename std::decay<decltype(as_expression(r))>::type Right;                                               \
    return both<name, Left, Right>(as_expression(l), as_expression(r));                                                \
  }
CLADPY_EXPRESSION(added, +)
CLADPY_EXPRESSION(subtracted, -)
CLADPY_EXPRESSION(multiplied, *)
CLADPY_EXPRESSION(divided, /)
CLADPY_EXPRESSION(remainder, %)
CLADPY_EXPRESSION(is_less, <)
CLADPY_EXPRESSION(is_greater, >)
CLADPY_EXPRESSION(is_at_most, <=)
CLADPY_EXPRESSION(is_at_least, >=)
CLADPY_EXPRESSION(is_equal, ==)
CLADPY_EXPRESSION(is_unequal, !=)
#undef CLADPY_EXPRESSION
template <class E, class = typename std::enable_if<std::is_base_of<expression<E>, E>::value>::type> auto operator-(const E &e) { return -1 * e; }

}  // namespace algorithms
}  // namespace cladpy
