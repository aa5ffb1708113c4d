// Part of CUB, as cladpy reads it.
#include <cub/cub.cuh>
