// Numbers whose bits are integers for a while, as compare-and-swap takes them: the tangent is kept under the bits, and
// found again where they become a number. For programs that swap or join halves; elsewhere integers have no tangent.
#ifndef CLADPY_ORACLE_SWAPS_H
#define CLADPY_ORACLE_SWAPS_H

#include <cstring>
#include <type_traits>
#include <unordered_map>

#include "cladpy_oracle/shadow.h"

namespace cladpy_oracle {
namespace swaps {

template <std::size_t size> using number_of = std::conditional_t<size == sizeof(float), float, double>;

// By the bits, of numbers of one size.
template <std::size_t size> inline std::unordered_map<unsigned long long, cell> known;

inline void reset() {
  known<sizeof(float)>.clear();
  known<sizeof(double)>.clear();
}

template <class To, class From> To same(From from) {
  static_assert(sizeof(To) == sizeof(From), "bits are taken of a number of the same size");
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

template <class I> unsigned long long key(I of) { return static_cast<std::make_unsigned_t<I>>(of); }

template <class I> I remember(I of, cell c) {
  known<sizeof(I)>[key(of)] = c;
  return of;
}

template <class I, class T> I of(dual<T> x) { return remember(same<I>(x.v), {x.t, x.m}); }

template <class T, class I> dual<T> number(I from) {
  auto found = known<sizeof(I)>.find(key(from));
  const cell c = found == known<sizeof(I)>.end() ? cell{0, 0} : found->second;
  return {same<T>(from), c.t, c.m};
}

// Halves of a number: it is known by all of its bits, which are together again where halves are joined.
template <class I> I double2hiint(dual<double> x) {
  of<long long>(x);
  return ::__double2hiint(x.v);
}

template <class I> I double2loint(dual<double> x) {
  of<long long>(x);
  return ::__double2loint(x.v);
}

inline dual<double> joined(int high, int low) {
  return number<double>(same<long long>(::__hiloint2double(high, low)));
}

// A pointer to a number that is seen as an integer from now on.
template <class I, class T> I *seen(T *place) {
  I *as = (I *)place;
  remember(*as, shadows.load(place));
  return as;
}

template <class I> I swap(I *place, I compare, I value) {
  const cell before = shadows.load(place);
  const dual<number_of<sizeof(I)>> after = number<number_of<sizeof(I)>>(value);
  const I held = ::atomicCAS(place, compare, value);
  if (held == compare) shadows.store(place, {after.t, after.m});
  return remember(held, before);
}

}  // namespace swaps
}  // namespace cladpy_oracle

#endif
