// Part of the vectors of Thrust.
#include <thrust/device_vector.h>
