// Of Thrust, for the front end.
#include <host_shim/thrust/cladpy_together.h>
