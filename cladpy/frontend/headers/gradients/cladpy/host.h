// What emitted C++ includes first: CUDA on a plain compiler. To the front end, every file is CUDA.
#pragma once

#include <cassert>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

namespace cladpy {
namespace host {

template <class Body>
void launch(dim3 grid, dim3 block, size_t shared_mem, cudaStream_t stream, const Body &body);

}  // namespace host
}  // namespace cladpy
