#pragma once
#include <cladpy_kokkos/sparse.h>
