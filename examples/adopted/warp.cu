// An extension of PyTorch's that has a forward pass only: a picture, seen where a flow says. There is no backward pass in it.
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

template <typename scalar_t>
__global__ void warp_kernel(const scalar_t *__restrict__ image, const scalar_t *__restrict__ flow,
                            scalar_t *__restrict__ out, int height, int width) {
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= height * width) return;
    const scalar_t x = at % width + flow[2 * at], y = at / width + flow[2 * at + 1];
    const int left = (int)floor(x), top = (int)floor(y);
    const scalar_t u = x - left, v = y - top;
    scalar_t sum = 0;
    for (int corner = 0; corner < 4; ++corner) {
        const int column = left + (corner & 1), row = top + (corner >> 1);
        if (column < 0 || column >= width || row < 0 || row >= height) continue;
        sum += (corner & 1 ? u : 1 - u) * (corner >> 1 ? v : 1 - v) * image[row * width + column];
    }
    out[at] = sum;
}

torch::Tensor warp(torch::Tensor image, torch::Tensor flow) {
    TORCH_CHECK(image.is_cuda() && flow.is_cuda(), "both must be on the GPU");
    TORCH_CHECK(image.dim() == 2 && flow.dim() == 3 && flow.size(2) == 2, "a picture, and two numbers for each pixel");
    const at::cuda::OptionalCUDAGuard guard(image.device());
    auto out = torch::empty_like(image);
    const int height = image.size(0), width = image.size(1);
    AT_DISPATCH_FLOATING_TYPES(image.scalar_type(), "warp", ([&] {
        warp_kernel<scalar_t><<<(height * width + 127) / 128, 128, 0, at::cuda::getCurrentCUDAStream()>>>(
            image.data_ptr<scalar_t>(), flow.data_ptr<scalar_t>(), out.data_ptr<scalar_t>(), height, width);
    }));
    return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("warp", &warp, "a picture, seen where a flow says"); }
