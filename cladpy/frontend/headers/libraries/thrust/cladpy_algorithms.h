// Algorithms of Thrust.
#include <host_shim/thrust/cladpy_algorithms.h>
