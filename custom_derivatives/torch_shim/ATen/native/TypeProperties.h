#include "../../cladpy_torch/all.h"
