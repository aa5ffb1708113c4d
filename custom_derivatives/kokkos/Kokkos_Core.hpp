// In place of Kokkos' own header, for the front end: what a program may use of its interface, in terms of kernels and of
// memory. A compiler reads Kokkos' own.
#pragma once

#include <cladpy_kokkos/complex.h>
#include <cladpy_kokkos/math.h>
#include <cladpy_kokkos/memory.h>
#include <cladpy_kokkos/scans.h>
#include <cladpy_kokkos/teams.h>

#include <ctime>
#include <iostream>

namespace Kokkos {

void initialize(int &, char **);
void initialize();
void finalize();

// What a program measures of itself.
struct Timer {
  double seconds() const { return double(std::clock()) / double(CLOCKS_PER_SEC); }
  void reset() const {}
};
namespace Profiling {
inline void pushRegion(const cladpy_kokkos::label &) {}
inline void popRegion() {}
inline void markEvent(const cladpy_kokkos::label &) {}
struct ScopedRegion {
  explicit ScopedRegion(const cladpy_kokkos::label &) {}
};
}  // namespace Profiling

}  // namespace Kokkos
