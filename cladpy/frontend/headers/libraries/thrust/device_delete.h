// Algorithms of Thrust that cladpy does not have: a program may include them, and what it uses is said by its name.
#include <thrust/device_vector.h>
