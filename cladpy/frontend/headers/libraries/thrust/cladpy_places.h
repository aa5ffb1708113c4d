// Algorithms of Thrust that move elements.
#include <host_shim/thrust/cladpy_places.h>
