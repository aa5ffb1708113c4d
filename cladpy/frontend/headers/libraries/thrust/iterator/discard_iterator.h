// What host code uses of Thrust around its own kernels.
#include <host_shim/thrust/device_vector.h>
