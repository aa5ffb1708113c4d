"""The split form inside of PyTorch's autograd: gradcheck, graphs that are retained, functions that are called twice."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cladpy

torch: Any = pytest.importorskip("torch", reason="PyTorch is no dependency: pip install 'cladpy[torch]'")

PROGRAM = """
__global__ void scaled(int n, double a, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = sin(a * x[i]) * x[i];
}
__global__ void squared(int n, double *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i] * x[i] * x[i];
}
double misfit(int n, const double *x, const double *wanted) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += (x[i] - wanted[i]) * (x[i] - wanted[i]) * x[i];
  return sum;
}
"""
N = 5
SCALED = cladpy.gradient(PROGRAM, "scaled", "a, x, y", backend="host")
SQUARED = cladpy.gradient(PROGRAM, "squared", "x", backend="host")
MISFIT = cladpy.gradient(PROGRAM, "misfit", "x, wanted", backend="host")


class Scaled(torch.autograd.Function):  # type: ignore[misc]
    @staticmethod
    def forward(ctx: Any, a: Any, x: Any) -> Any:
        y = torch.empty_like(x)
        _, ctx.tape = SCALED.forward(1, N, n=N, a=a.detach(), x=x.detach(), y=y, reusable=True)
        return y

    @staticmethod
    def backward(ctx: Any, d_y: Any) -> tuple[Any, Any]:
        d_a, d_x = torch.zeros(1, dtype=torch.float64), torch.zeros(N, dtype=torch.float64)
        SCALED.reverse(ctx.tape, d_a=d_a, d_x=d_x, d_y=d_y.clone())
        return d_a[0], d_x


class Squared(torch.autograd.Function):  # type: ignore[misc]
    """In place, on a copy of what it is given."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        y = x.detach().clone()
        _, ctx.tape = SQUARED.forward(1, N, N, y, reusable=True)
        return y

    @staticmethod
    def backward(ctx: Any, d_y: Any) -> Any:
        d_x = d_y.clone()
        SQUARED.reverse(ctx.tape, d_x)
        return d_x


class Misfit(torch.autograd.Function):  # type: ignore[misc]
    @staticmethod
    def forward(ctx: Any, x: Any, wanted: Any) -> Any:
        value, ctx.tape = MISFIT.forward(N, x.detach(), wanted.detach(), reusable=True)
        return torch.tensor(value, dtype=torch.float64)

    @staticmethod
    def backward(ctx: Any, cotangent: Any) -> tuple[Any, Any]:
        d_x, d_wanted = torch.zeros(N, dtype=torch.float64), torch.zeros(N, dtype=torch.float64)
        MISFIT.reverse(ctx.tape, d_x, d_wanted, cotangent=cotangent)
        return d_x, d_wanted


def leaves() -> tuple[Any, Any, Any]:
    generator = torch.Generator().manual_seed(3)
    a = torch.tensor(0.7, dtype=torch.float64, requires_grad=True)
    x, wanted = (torch.rand(N, generator=generator, dtype=torch.float64, requires_grad=True) for _ in range(2))
    return a, x, wanted


def test_gradcheck() -> None:
    a, x, wanted = leaves()
    assert torch.autograd.gradcheck(Scaled.apply, (a, x))
    assert torch.autograd.gradcheck(Squared.apply, (x,))
    assert torch.autograd.gradcheck(Misfit.apply, (x, wanted))
    chain = lambda a, x, wanted: Misfit.apply(Squared.apply(Scaled.apply(a, x)), wanted)  # noqa: E731
    assert torch.autograd.gradcheck(chain, (a, x, wanted))


def test_a_graph_that_is_retained() -> None:
    """Backward twice adds the same twice."""
    a, x, wanted = leaves()
    loss = Misfit.apply(Squared.apply(Scaled.apply(a, x)), wanted)
    loss.backward(retain_graph=True)
    once = [leaf.grad.clone() for leaf in (a, x, wanted)]
    loss.backward()
    assert all(torch.equal(leaf.grad, 2 * first) for leaf, first in zip((a, x, wanted), once, strict=True))
    assert all(first.abs().sum() > 0 for first in once)


def test_called_twice_in_one_graph() -> None:
    """Two tapes at a time; the reference is PyTorch's own."""
    a, x, _ = leaves()
    loss = Scaled.apply(a, Scaled.apply(a, x)).sum()
    loss.backward()
    found = a.grad.clone(), x.grad.clone()
    b, y = a.detach().clone().requires_grad_(), x.detach().clone().requires_grad_()
    inner = torch.sin(b * y) * y
    (torch.sin(b * inner) * inner).sum().backward()
    assert torch.allclose(found[0], b.grad) and torch.allclose(found[1], y.grad)


def test_tensors_in_place_and_without_extents() -> None:
    """float64 on the CPU lies where it is; a tensor without extents is a number."""
    x, y = torch.arange(1.0, N + 1, dtype=torch.float64), torch.zeros(N, dtype=torch.float64)
    SCALED.primal.execute_kernel(1, N, torch.tensor(N), torch.tensor(0.5), x, y)
    assert torch.allclose(y, torch.sin(0.5 * x) * x)
    d_a, d_x, d_y = torch.zeros(1, dtype=torch.float64), torch.zeros(N, dtype=torch.float64), torch.ones_like(y)
    at = [t.data_ptr() for t in (d_a, d_x, d_y)]
    SCALED.execute_kernel(1, N, torch.tensor(N), torch.tensor(0.5, dtype=torch.float64), x, y, d_a, d_x, d_y)
    assert d_a[0] != 0 and d_x.all() and [t.data_ptr() for t in (d_a, d_x, d_y)] == at
    for wrong in (torch.tensor(2.5), torch.tensor(2j), torch.ones(1), torch.tensor(2**40)):
        with pytest.raises(cladpy.ArgumentTypeError, match="n: "):
            SCALED.primal.execute_kernel(1, N, wrong, 0.5, x, y)


def test_the_functional_form_gives_tensors() -> None:
    x, y = torch.ones(N, dtype=torch.float64), torch.zeros(N, dtype=torch.float64)
    found = SCALED(1, N, N, 0.5, x, y, cotangents={"y": torch.full((N,), 2.0)})
    assert isinstance(found["x"], torch.Tensor) and found["x"].dtype == torch.float64
    assert isinstance(found["a"], np.float64) and np.isclose(found["a"], 2 * N * np.cos(0.5))
    with pytest.raises(cladpy.ArgumentTypeError, match=r"cotangents\['y'\]: expected a tensor of torch.float64"):
        SCALED(1, N, N, 0.5, x, y, cotangents={"y": torch.ones(N, dtype=torch.complex64)})
