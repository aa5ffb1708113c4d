#pragma once
#include <cladpy_kokkos/complex.h>
