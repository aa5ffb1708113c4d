#pragma once
#include <cladpy_kokkos/blas.h>
