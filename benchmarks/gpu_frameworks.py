"""Operators of PyTorch's on a GPU: against PyTorch's own, under what it does with operators, and their times.

usage: python -m benchmarks.gpu_frameworks [--calls 300]
       (from the repository's root, on a machine with a GPU, nvcc, PyCUDA and PyTorch)

Prints a line per check, and then what a call takes beside an extension written by hand: the same kernels with an
`autograd.Function` around them, as extensions are written (built by `torch.utils.cpp_extension`). Tensors of 256
elements, so that calls are measured and not kernels; medians of calls in turn. Exit 0 only if all checks are right.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
import traceback
from collections.abc import Callable
from typing import Any

import torch

from tests.frameworks.layers import GELU, IN_PLACE, LAYER_NORM, MIXED, PROGRAM, SHIFTED, SOFTMAX, SOURCE, blocks, op

CUDA = torch.device("cuda")
SQUARE = op(
    SOURCE, "complex_square", inputs="x", outputs={"y": "x"}, args=lambda x: {"n": x.numel()}, grid=blocks, block=32
)


def rand(*shape: int, dtype: Any = torch.float64, seed: int = 1, grad: bool = True) -> Any:
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(shape, dtype=torch.float64, generator=generator)
    return x.to(CUDA, dtype).requires_grad_(grad)


def same(function: Callable[..., Any], reference: Callable[..., Any], *inputs: Any, tolerance: float) -> None:
    """Values and gradients of two functions, with the same cotangents."""
    found, wanted = function(*inputs), reference(*inputs)
    leaves = [x for x in inputs if x.requires_grad]
    cotangent = rand(*wanted.shape, dtype=wanted.dtype, seed=9, grad=False)
    gradients = [torch.autograd.grad(y, leaves, cotangent) for y in (found, wanted)]
    for one, other in [(found, wanted), *zip(*gradients, strict=True)]:
        assert one.dtype == other.dtype and one.device == other.device
        error = float((one - other).detach().abs().max() / other.detach().abs().max())
        print(f"    {error:.1e}", end="")
        assert error <= tolerance
    print()


def layers() -> None:
    functional = torch.nn.functional
    norm = lambda x, w, b: functional.layer_norm(x, (768,), w, b)  # noqa: E731
    same(LAYER_NORM, norm, rand(64, 768), rand(768), rand(768), tolerance=1e-13)
    same(LAYER_NORM, norm, rand(768, 64).t(), rand(768), rand(768, grad=False), tolerance=1e-13)
    same(SOFTMAX, lambda x: x.softmax(-1), rand(100, 1000, dtype=torch.float32), tolerance=1e-5)
    same(GELU, functional.gelu, rand(300, 70, dtype=torch.float16), tolerance=2e-3)
    same(IN_PLACE, lambda x: x**3, rand(1000), tolerance=1e-14)
    same(PROGRAM, lambda x: x**9, rand(2, 500), tolerance=1e-13)
    square = lambda x: x * x  # noqa: E731
    same(SQUARE, square, torch.complex(rand(50), rand(50, seed=2)).detach().requires_grad_(), tolerance=1e-14)


def several_results() -> None:
    a, x, table = rand(1)[0].detach().requires_grad_(), rand(5), torch.tensor([1, 1, 4, 0], device=CUDA)
    y, z, signs = MIXED(a, x, table)
    wanted = (a * x[table] ** 2, 2 + x[table].sin() + a, torch.where(x[table] > 0, 1, -1).int())
    for one, other in zip((y, z, signs), wanted, strict=True):
        assert torch.allclose(one, other)
    found = torch.autograd.grad((y * z).sum(), (a, x))
    assert all(map(torch.allclose, found, torch.autograd.grad((wanted[0] * wanted[1]).sum(), (a, x))))


def checks_of_pytorch() -> None:
    assert torch.autograd.gradcheck(LAYER_NORM, (rand(2, 5), rand(5), rand(5)), nondet_tol=1e-12)
    assert torch.autograd.gradcheck(PROGRAM, (rand(2, 10)[:, ::2].detach().requires_grad_(),))
    for operator, inputs in ((IN_PLACE, (rand(5),)), (LAYER_NORM, (rand(2, 5), rand(5), rand(5)))):
        assert set(torch.library.opcheck(operator.op, inputs).values()) == {"SUCCESS"}


def second_derivatives() -> None:
    def second(function: Callable[..., Any], *inputs: Any) -> tuple[Any, ...]:
        first = torch.autograd.grad(function(*inputs).sin().sum(), inputs, create_graph=True)
        weighted = ((g * torch.linspace(-1, 2, g.numel(), device=CUDA).reshape(g.shape)).sum() for g in first)
        return torch.autograd.grad(sum(weighted), inputs)

    norm = lambda x, w, b: torch.nn.functional.layer_norm(x, (768,), w, b)  # noqa: E731
    for function, reference, inputs, tolerance in (
        (LAYER_NORM, norm, (rand(64, 768), rand(768), rand(768)), 1e-10),
        (SOFTMAX, lambda x: x.softmax(-1), (rand(100, 70, dtype=torch.float32),), 1e-4),
        (SHIFTED, lambda x, by, scale: x * scale + by, (rand(900), rand(900), rand(900)), 1e-13),
    ):
        for found, wanted in zip(second(function, *inputs), second(reference, *inputs), strict=True):
            assert torch.allclose(found, wanted, rtol=tolerance, atol=tolerance)
    assert torch.autograd.gradgradcheck(SHIFTED, (rand(9), rand(9), rand(9)))


def compiled() -> None:
    def model(x: Any, w: Any, b: Any) -> Any:
        return (LAYER_NORM(x.sin(), w, b) * 2).exp().sum()

    inputs = rand(4, 10), rand(10), rand(10)
    for backend in ("aot_eager", "inductor"):
        whole = torch.compile(model, fullgraph=True, backend=backend)
        found, wanted = (torch.autograd.grad(m(*inputs), inputs) for m in (whole, model))
        assert all(torch.allclose(f, w, rtol=1e-12) for f, w in zip(found, wanted, strict=True))


def graphs() -> None:
    """A step of training is captured, and played with other numbers in the same memory."""
    x = rand(1000)
    step: Callable[[], Any] = lambda: torch.autograd.grad(IN_PLACE(x).sum(), x)[0]  # noqa: E731
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            step()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        found = step()
    with torch.no_grad():
        x.copy_(rand(1000, seed=5))
    graph.replay()
    torch.cuda.synchronize()
    assert torch.allclose(found, 3 * x.detach() ** 2, rtol=1e-14)


def streams() -> None:
    """Work goes to the current stream: what is still being made there is waited for."""
    side, x = torch.cuda.Stream(), rand(1 << 22, grad=False)
    torch.cuda.synchronize()
    with torch.cuda.stream(side):
        y = x
        for _ in range(40):
            y = y.sin()
        y = y.clone().requires_grad_()
        found = torch.autograd.grad(IN_PLACE(y).sum(), y)[0]
    side.synchronize()
    assert torch.allclose(found, 3 * y.detach() ** 2)


def mixed_precision() -> None:
    x, w, b = rand(3, 10, dtype=torch.bfloat16), rand(10, dtype=torch.float32), rand(10)
    with torch.autocast("cuda", dtype=torch.bfloat16):
        y = LAYER_NORM(x, w, b)
    assert y.dtype == torch.float64
    assert [g.dtype for g in torch.autograd.grad(y.sum(), (x, w, b))] == [torch.bfloat16, torch.float32, torch.float64]


def determinism() -> None:
    a, x = rand(1)[0].detach().requires_grad_(), rand(50)
    table = torch.randint(50, (100_000,), generator=torch.Generator().manual_seed(1)).to(CUDA)
    torch.use_deterministic_algorithms(True)
    try:
        found = [torch.autograd.grad(MIXED(a, x, table)[1].sin().sum(), (a, x)) for _ in range(2)]
    finally:
        torch.use_deterministic_algorithms(False)
    assert all(torch.equal(a, b) for a, b in zip(*found, strict=True))


BY_HAND = """
#include <ATen/cuda/CUDAContext.h>
#include <torch/extension.h>

__global__ void cube(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * x[i] * x[i];
}
__global__ void cube_backward(const double *x, const double *dy, double *dx, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) dx[i] = 3 * x[i] * x[i] * dy[i];
}
at::Tensor forward(at::Tensor x) {
  auto y = at::empty_like(x);
  int n = x.numel();
  cube<<<(n + 31) / 32, 32, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<double>(), y.data_ptr<double>(), n);
  return y;
}
at::Tensor backward(at::Tensor x, at::Tensor dy) {
  auto dx = at::empty_like(x);
  int n = x.numel();
  cube_backward<<<(n + 31) / 32, 32, 0, at::cuda::getCurrentCUDAStream()>>>(
      x.data_ptr<double>(), dy.data_ptr<double>(), dx.data_ptr<double>(), n);
  return dx;
}
"""


def times(calls: int) -> None:
    from torch.utils.cpp_extension import load_inline

    built = load_inline(
        "cubes_by_hand",
        cpp_sources="at::Tensor forward(at::Tensor x); at::Tensor backward(at::Tensor x, at::Tensor dy);",
        cuda_sources=BY_HAND,
        functions=["forward", "backward"],
    )

    class ByHand(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return built.forward(x)

        @staticmethod
        def backward(ctx: Any, dy: Any) -> Any:
            return built.backward(*ctx.saved_tensors, dy.contiguous())

    cube = op(
        "__global__ void cube(const double *x, double *y, int n) {\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  if (i < n) y[i] = x[i] * x[i] * x[i];\n"
        "}\n",
        "cube",
        inputs="x",
        outputs={"y": "x"},
        args=lambda x: {"n": x.numel()},
        grid=blocks,
        block=32,
    )
    x, dy = rand(256), rand(256, grad=False)
    plain = x.detach()
    forms: dict[str, Callable[[Any], Any]] = {
        "forward": lambda f: f(plain),
        "forward, recorded": lambda f: f(x),
        "forward and backward": lambda f: torch.autograd.grad(f(x), x, dy),
    }
    for name, call in forms.items():
        taken: dict[str, list[float]] = {"by hand": [], "cladpy": []}
        for turn in range(calls + 30):
            for who, function in (("by hand", ByHand.apply), ("cladpy", cube)):
                start = time.perf_counter()
                call(function)
                if turn >= 30:
                    taken[who].append(1e6 * (time.perf_counter() - start))
            torch.cuda.synchronize()
        medians = {who: statistics.median(seconds) for who, seconds in taken.items()}
        print(f"{name}: " + ", ".join(f"{who} {value:.1f} µs" for who, value in medians.items()))


CHECKS = (
    layers,
    several_results,
    checks_of_pytorch,
    second_derivatives,
    compiled,
    graphs,
    streams,
    mixed_precision,
    determinism,
)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gpu_frameworks", description=__doc__)
    parser.add_argument("--calls", type=int, default=300, help="how many are measured of each kind")
    options = parser.parse_args()
    wrong = 0
    for check in CHECKS:
        try:
            check()
            print(f"{check.__name__}: right", flush=True)
        except Exception:
            wrong += 1
            print(f"{check.__name__}: WRONG\n{traceback.format_exc()}", flush=True)
    times(options.calls)
    print(f"{len(CHECKS) - wrong} of {len(CHECKS)} right (PyTorch {torch.__version__}, {torch.cuda.get_device_name()})")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
