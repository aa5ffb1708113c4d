// PyTorch's headers as cladpy reads them, and compiles what it runs itself: tensors, and what is computed with them.
#ifndef CLADPY_TORCH_ALL_H
#define CLADPY_TORCH_ALL_H

#include "accessors.h"
#include "arguments.h"
#include "arithmetic.h"
#include "atomics.h"
#include "checks.h"
#include "dispatch.h"
#include "options.h"
#include "registration.h"
#include "scalar_type.h"
#include "streams.h"
#include "tensor.h"
#include "tensor_info.h"
#include "tensor_list.h"
#include <cassert>
#include <cfloat>
#include <climits>
#include <cmath>
#include <iostream>
#include <string>
#include <tuple>
#include <vector>

#endif  // CLADPY_TORCH_ALL_H
