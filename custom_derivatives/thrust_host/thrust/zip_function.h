// Tuples of Thrust.
#include <thrust/cladpy_tuple.h>
