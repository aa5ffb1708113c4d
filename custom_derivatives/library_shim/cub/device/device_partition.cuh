// What cladpy has of CUB: a program may include this, and what is not there is refused by its name.
#include <cub/cub.cuh>
