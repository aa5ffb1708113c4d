// An extension of PyTorch's as people write them, with what its functions meet: macros of types, guards, streams, checks,
// accessors, optional tensors, lists, views, results of several types, and an output that is given.
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

#define CHECK_INPUT(x)                                                                                                 \
  TORCH_CHECK(x.is_cuda(), #x " must be a CUDA tensor");                                                               \
  TORCH_CHECK(x.is_contiguous(), #x " must be contiguous")

namespace {

template <typename scalar_t>
__global__ void swish_kernel(const scalar_t *__restrict__ x, const scalar_t *__restrict__ w, scalar_t *__restrict__ y,
                             int count, int columns) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    const scalar_t v = x[i] * w[i % columns];
    y[i] = v / (scalar_t(1) + exp(-v));
  }
}

template <typename T>
__global__ void squares_kernel(torch::PackedTensorAccessor32<T, 2, torch::RestrictPtrTraits> x,
                               torch::PackedTensorAccessor32<T, 2, torch::RestrictPtrTraits> y,
                               torch::PackedTensorAccessor32<int64_t, 1, torch::RestrictPtrTraits> above) {
  const int i = blockIdx.x, j = threadIdx.x;
  if (i >= x.size(0) || j >= x.size(1)) return;
  y[i][j] = x[i][j] * x[i][j];
  if (j == 0) above[i] = x[i][0] > T(0);
}

template <typename T>
__global__ void linear_kernel(const T *x, const T *w, const T *b, T *y, int inner, int outer) {
  const int row = blockIdx.x, column = threadIdx.x;
  T sum = b ? b[column] : T(0);
  for (int k = 0; k < inner; ++k) sum += x[row * inner + k] * w[column * inner + k];
  y[row * outer + column] = sum;
}

__global__ void gather_kernel(const double *table, const int64_t *index, double *y, int count, int columns) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count * columns) y[i] += table[index[i / columns] * columns + i % columns];
}

__global__ void scale_kernel(const double *x, double *y, double a, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) y[i] = a * x[i] * x[i];
}

template <typename T> __global__ void doubled_kernel(const T *x, T *y, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) y[i] = x[i] + x[i];
}

}  // namespace

torch::Tensor swish(torch::Tensor x, torch::Tensor w) {
  CHECK_INPUT(x);
  CHECK_INPUT(w);
  TORCH_CHECK(x.size(-1) == w.size(0), "shapes differ: ", x.size(-1), " and ", w.size(0));
  const at::cuda::OptionalCUDAGuard guard(device_of(x));
  auto y = torch::empty_like(x);
  const int threads = 64;
  const dim3 blocks((x.numel() + threads - 1) / threads);
  AT_DISPATCH_FLOATING_TYPES_AND_HALF(x.scalar_type(), "swish", ([&] {
    swish_kernel<scalar_t><<<blocks, threads, 0, at::cuda::getCurrentCUDAStream()>>>(
        x.data_ptr<scalar_t>(), w.data_ptr<scalar_t>(), y.data_ptr<scalar_t>(), x.numel(), x.size(-1));
  }));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

std::vector<torch::Tensor> squares(const torch::Tensor x) {
  auto y = torch::zeros({x.size(0), x.size(1)}, x.options());
  auto above = torch::zeros({x.size(0)}, torch::dtype(torch::kLong).device(x.device()));
  AT_DISPATCH_FLOATING_TYPES(x.type(), "squares", ([&] {
    squares_kernel<scalar_t><<<x.size(0), x.size(1)>>>(
        x.packed_accessor32<scalar_t, 2, torch::RestrictPtrTraits>(),
        y.packed_accessor32<scalar_t, 2, torch::RestrictPtrTraits>(),
        above.packed_accessor32<int64_t, 1, torch::RestrictPtrTraits>());
  }));
  return {y, above};
}

torch::Tensor doubled(torch::Tensor x) {
  auto y = x.new_empty(x.sizes());
  AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, x.scalar_type(), "doubled", [&] {
    doubled_kernel<scalar_t><<<1, 64>>>(x.data_ptr<scalar_t>(), y.data_ptr<scalar_t>(), x.numel());
  });
  return y;
}

namespace layers {
std::tuple<at::Tensor, at::Tensor> linear(const at::Tensor &x, const at::Tensor &w, std::optional<at::Tensor> bias) {
  const int rows = x.size(0), inner = x.size(1), outer = w.size(0);
  at::Tensor y = at::empty({rows, outer}, x.options());
  for (int part = 0; part < 2; ++part) {
    at::Tensor from = x.view({2, rows / 2, inner}).select(0, part), to = y.narrow(0, part * rows / 2, rows / 2);
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "linear", [&] {
      linear_kernel<scalar_t><<<rows / 2, outer>>>(from.data_ptr<scalar_t>(), w.data_ptr<scalar_t>(),
                                                   bias.has_value() ? bias->data_ptr<scalar_t>() : nullptr,
                                                   to.data_ptr<scalar_t>(), inner, outer);
    });
  }
  return std::make_tuple(y, y.unsqueeze(0));
}
}  // namespace layers

at::Tensor gather(std::vector<at::Tensor> tables, at::Tensor index, bool twice) {
  auto y = at::zeros({index.size(0), tables[0].size(1)}, tables[0].options());
  const int count = index.numel(), columns = tables[0].size(-1);
  for (size_t k = 0; k < tables.size(); ++k) {
    gather_kernel<<<1, 64>>>(tables[k].data_ptr<double>(), index.data_ptr<int64_t>(), y.data_ptr<double>(), count,
                             columns);
  }
  if (twice) {
    gather_kernel<<<1, 64>>>(tables[0].data_ptr<double>(), index.data_ptr<int64_t>(), y.data_ptr<double>(), count,
                             columns);
  }
  return y.view({-1, 2, y.size(1) / 2});
}

void scale(const at::Tensor &x, at::Tensor &y, double a) {
  TORCH_CHECK(x.sizes() == y.sizes());
  const int count = x.numel();
  scale_kernel<<<at::cuda::ATenCeilDiv(count, 64), 64>>>(x.data_ptr<double>(), y.data_ptr<double>(), a, count);
  AT_CUDA_CHECK(cudaGetLastError());
}

std::vector<at::Tensor> powers(const at::Tensor &x, int64_t most) {
  at::Tensor first = at::empty_like(x), second;
  scale_kernel<<<1, 64>>>(x.data_ptr<double>(), first.data_ptr<double>(), 2.0, x.numel());
  if (most > 1) {
    second = at::empty_like(x);
    scale_kernel<<<1, 64>>>(x.data_ptr<double>(), second.data_ptr<double>(), 3.0, x.numel());
  }
  return {first, second};
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("swish", &swish, "swish (CUDA)", py::arg("x"), py::arg("w"));
  m.def("squares", &squares);
}
