// What tests use of Kokkos that versions before 3.7 do not have yet, such as Debian's: included before a program.
#pragma once
#include <Kokkos_Core.hpp>

#include <cmath>

#if KOKKOS_VERSION < 30700
namespace Kokkos {
using std::sqrt, std::exp, std::sin, std::cos, std::tanh, std::fabs, std::pow, std::log, std::fmax, std::fmin;
}  // namespace Kokkos
#endif
