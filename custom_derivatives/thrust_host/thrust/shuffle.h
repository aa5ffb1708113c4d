// What cladpy has of Thrust: a program may include this, and what is not there is refused by its name.
#include <thrust/device_vector.h>
