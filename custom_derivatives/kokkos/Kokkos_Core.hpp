// In place of Kokkos' own header, for the front end: what a program may use of its interface, in terms of kernels and of
// memory. A compiler reads Kokkos' own.
#pragma once

#include <cladpy_kokkos/math.h>
#include <cladpy_kokkos/memory.h>
#include <cladpy_kokkos/scans.h>
#include <cladpy_kokkos/teams.h>

#include <iostream>

namespace Kokkos {

void initialize(int &, char **);
void initialize();
void finalize();

}  // namespace Kokkos
