#include "../cladpy_torch/all.h"

namespace at {
template <class T> __host__ __device__ constexpr T THCCeilDiv(T a, T b) { return (a + b - 1) / b; }
}  // namespace at
using at::THCCeilDiv;
