// Tuples of Thrust.
#include <host_shim/thrust/cladpy_tuple.h>
