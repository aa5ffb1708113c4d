// Shuffles of pairs: the tangent goes the way of its value, by the same intrinsic.
#ifndef CLADPY_ORACLE_WARP_H
#define CLADPY_ORACLE_WARP_H

#include <cstring>

#include "cladpy_oracle/dual.h"

namespace cladpy_oracle {

// What `shuffle` gives for a number that is larger than what it takes, piece by piece.
template <class Shuffle> real shuffled(real x, const Shuffle &shuffle) {
  unsigned long long pieces[2] = {0, 0};
  static_assert(sizeof x <= sizeof pieces, "a tangent has at most sixteen bytes");
  std::memcpy(pieces, &x, sizeof x);
  for (unsigned long long &piece : pieces) piece = shuffle(piece);
  std::memcpy(&x, pieces, sizeof x);
  return x;
}

template <class T, class Shuffle> dual<T> shuffled(dual<T> x, const Shuffle &shuffle) {
  const T v = shuffle(x.v);
  const real t = shuffled(x.t, shuffle);
  return {v, t, shuffled(x.m, shuffle)};
}

}  // namespace cladpy_oracle

#endif
