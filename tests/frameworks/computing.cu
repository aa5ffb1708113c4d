// An extension that lets PyTorch compute between its kernels, and kernels that mix halves with floats.
#include <torch/extension.h>

template <typename T>
__global__ void gated_kernel(torch::PackedTensorAccessor32<T, 1, torch::RestrictPtrTraits> x,
                             torch::PackedTensorAccessor32<T, 1, torch::RestrictPtrTraits> y, float scale) {
  const int i = threadIdx.x;
  if (i >= x.size(0)) return;
  T v = x[i] * x[i];
  v *= scale;
  y[i] = v / (T(1) + exp(-v)) + 0.5f * x[i] + 2 * x[i];
  if (x[i] > 0) y[i] += 1;
}

std::tuple<at::Tensor, std::optional<at::Tensor>> gated(at::Tensor x, double scale) {
  auto y = torch::empty_like(x);
  AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, x.scalar_type(), "gated", [&] {
    gated_kernel<scalar_t><<<1, 32>>>(x.packed_accessor32<scalar_t, 1, torch::RestrictPtrTraits>(),
                                      y.packed_accessor32<scalar_t, 1, torch::RestrictPtrTraits>(), scale);
  });
  return std::make_tuple(y, std::nullopt);
}

at::Tensor computed(at::Tensor x, at::Tensor w) {
  at::TensorArg x_arg{x, "x", 1}, w_arg{w, "w", 2};
  at::checkAllSameType("computed", {x_arg, w_arg});
  auto y = (x * w + 1) / 2.0;
  auto z = y.transpose(0, 1).contiguous().exp();
  return z.sum(0) + torch::full_like(z, 3).sum(0) * z.select(0, 0).to(at::kDouble);
}
