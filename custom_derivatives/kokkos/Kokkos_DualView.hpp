#pragma once
#include <Kokkos_Core.hpp>
#include <cladpy_kokkos/dual.h>
