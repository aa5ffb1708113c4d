// What extensions include, and ask of it, beside tensors.
#include <ATen/Operators.h>
#include <ATen/cuda/detail/TensorInfo.cuh>
#include <Python.h>
#include <c10/core/SymInt.h>
#include <torch/extension.h>

using at::cuda::detail::IndexToOffset;
using at::cuda::detail::TensorInfo;

__global__ void cubes_kernel(TensorInfo<const double, int> x, double *y, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    const double v = x.data[IndexToOffset<const double, int, -1>::get(i, x)];
    y[i] = v * v * v;
  }
}

#if TORCH_VERSION_MAJOR < 2 || !defined(TORCH_VERSION_MINOR)
#error "extensions ask for a version"
#endif

// x cubed, and as many zeros.
std::vector<at::Tensor> cubes(const at::Tensor &x) {
  TORCH_CHECK(at::cuda::detail::canUse32BitIndexMath(x));
  const int count = x.numel();
  at::Tensor y = at::zeros({count}, x.type()), zeros = torch::zeros({count}, torch::CUDA(torch::kInt));
  cubes_kernel<<<(count + 63) / 64, 64>>>(at::cuda::detail::getTensorInfo<const double, int>(x.transpose(0, 1)),
                                          y.data_ptr<double>(), count);
  return {y, zeros};
}

PyMODINIT_FUNC PyInit_headers() {
  static PyModuleDef module = {PyModuleDef_HEAD_INIT, "headers", nullptr, -1, nullptr};
  return PyModule_Create(&module);
}
