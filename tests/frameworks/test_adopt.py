"""Functions of extensions as they are, against PyTorch's own operations and differences."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tests.oracle  # noqa: F401  how units of tests are compiled
from cladpy import BackendError, DifferentiationError, LaunchError, UsageError

torch: Any = pytest.importorskip("torch", reason="PyTorch is no dependency: pip install 'cladpy[torch]'")

from cladpy.frameworks import adopted  # noqa: E402  which needs it
from cladpy.torch import adopt  # noqa: E402

pytestmark = [
    pytest.mark.xdist_group("adopted"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # PyTorch's, of what PyTorch uses
]
SOURCE = Path(__file__).parent / "extension.cu"
COMPUTING = Path(__file__).parent / "computing.cu"
ALL_STORE = """
#include <torch/extension.h>
__global__ void last_kernel(const double *x, double *y) {
  const double v = __shfl_xor_sync(0xffffffffu, x[threadIdx.x], 1);
  y[threadIdx.x / 32] = x[threadIdx.x] * v;  // all lanes of a warp
}
at::Tensor last_of_all(const at::Tensor &x) {
  at::Tensor y = at::zeros({2}, x.options());
  last_kernel<<<1, 64>>>(x.data_ptr<double>(), y.data_ptr<double>());
  return y;
}
"""


def real(*shape: int, seed: int = 1) -> Any:
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, dtype=torch.float64, generator=generator).requires_grad_(True)


def same(found: Any, wanted: Any) -> None:
    torch.testing.assert_close(found, wanted)


def test_of_a_tensor() -> None:
    swish = adopt(SOURCE, "swish")
    x, w = real(4, 6), real(6, seed=2)
    same(swish(x, w), torch.nn.functional.silu(x * w))
    same(swish(x.detach(), w.detach()), torch.nn.functional.silu(x * w).detach())
    assert torch.autograd.gradcheck(swish, (x, w))
    # what is not in order is put in order, and its gradient comes back to where it was
    y = swish(x[:, ::2], w[::2]).sum()
    wanted = torch.nn.functional.silu(x[:, ::2] * w[::2]).sum()
    same(torch.autograd.grad(y, (x, w)), torch.autograd.grad(wanted, (x, w)))
    y = swish(x, w.detach()).sum()
    same(torch.autograd.grad(y, x, retain_graph=True), torch.autograd.grad(y, x))
    with pytest.raises(BackendError, match=r"expected x\.size"):
        swish(x, real(5))


def test_halves_get_gradients_of_their_own_type() -> None:
    x = torch.randn(3, 4).half().requires_grad_(True)
    y = adopt(SOURCE, "doubled")(x)
    y.sum().backward()
    assert x.grad.dtype == y.dtype == torch.float16
    same(x.grad, torch.full_like(x, 2))


def test_halves_through_accessors_compute_as_floats() -> None:
    gated = adopt([COMPUTING], "gated")
    x = torch.randn(20, generator=torch.Generator().manual_seed(1)).half().requires_grad_(True)
    y, nothing = gated(x, 0.7)
    assert nothing is None and y.dtype == torch.float16
    wide = x.detach().float().requires_grad_(True)
    v = 0.7 * wide * wide
    wanted = v * torch.sigmoid(v) + 2.5 * wide + (wide > 0)
    torch.testing.assert_close(y.float(), wanted, atol=3e-3, rtol=3e-3)
    y.float().sum().backward()
    wanted.sum().backward()
    torch.testing.assert_close(x.grad.float(), wide.grad, atol=5e-3, rtol=5e-3)


def test_tensors_compute() -> None:
    computed = adopt(COMPUTING, "computed")
    x, w = real(3, 4), real(4, seed=2)
    z = ((x * w + 1) / 2).t().exp()
    same(computed(x, w), z.sum(0) + 12 * z[0])
    assert torch.autograd.gradcheck(computed, (x, w))
    with pytest.raises(BackendError, match="same_type"):
        computed(x, w.float())


def test_several_results_of_several_types() -> None:
    x = real(3, 5)
    y, above = adopt(SOURCE, "squares")(x)
    same(y, x * x)
    assert above.dtype == torch.int64 and not above.requires_grad
    assert above.tolist() == (x[:, 0] > 0).long().tolist()
    same(torch.autograd.grad(y[0].sum(), x)[0][0], 2 * x[0])


def test_optional_tensors_and_views() -> None:
    linear = adopt(SOURCE, "layers::linear")
    x, w, b = real(4, 3), real(5, 3, seed=2), real(5, seed=3)
    same(linear(x, w, None)[0], torch.nn.functional.linear(x, w))
    same(linear(x, w, b)[1], torch.nn.functional.linear(x, w, b)[None])
    assert torch.autograd.gradcheck(lambda *given: linear(*given), (x, w, b))


def test_lists_and_indices() -> None:
    gather = adopt(SOURCE, "gather")
    tables, at = [real(6, 4), real(6, 4, seed=2)], torch.tensor([0, 5, 5, 2])
    same(gather(tables, at, True).reshape(4, 4), (2 * tables[0] + tables[1])[at])
    assert torch.autograd.gradcheck(lambda *given: gather(list(given), at, False), tuple(tables))


def test_an_output_that_is_given_is_changed_in_place() -> None:
    scale = adopt(SOURCE, "scale")
    x, y = real(5), torch.zeros(5, dtype=torch.float64)
    assert scale(x, y, 3.0) is None
    same(y, 3 * x * x)
    same(torch.autograd.grad(y.sum(), x)[0], 6 * x)
    both = torch.zeros(10, dtype=torch.float64).requires_grad_(True) * 1
    with pytest.raises(LaunchError, match="shares its memory"):
        scale(both[:5], both[5:], 3.0)
    plain = torch.zeros(5, dtype=torch.float64)
    scale(x.detach(), plain, 2.0)
    same(plain, 2 * x.detach() ** 2)


def test_what_is_changed_may_be_a_view_or_out_of_order() -> None:
    scale = adopt(SOURCE, "scale")
    x, base = real(3, 4), torch.zeros(24, dtype=torch.float64)
    for y in (base[12:].view(3, 4), torch.zeros(4, 3, dtype=torch.float64).t()):
        with torch.no_grad():
            scale(x, y, 3.0)
        same(y, 3 * x.detach() ** 2)
        scale(x, y, 2.0)
        same(y, 2 * x**2)
        same(torch.autograd.grad(y.sum(), x), (4 * x.detach(),))
    same(base[12:].view(3, 4), 2 * x**2)


def test_which_results_there_are_may_depend_on_a_number() -> None:
    powers = adopt(SOURCE, "powers")
    x = real(6)
    one, both = powers(x, 1), powers(x, 2)
    assert one[1] is None
    with torch.no_grad():
        assert powers(x, 1)[1] is None
    same(torch.autograd.grad(both[0].sum() + both[1].sum(), x), (10 * x.detach(),))
    same(torch.autograd.grad(one[0].sum(), x), (4 * x.detach(),))


def test_what_makes_no_sense_is_told() -> None:
    with pytest.raises(UsageError, match="fresh is no option"):
        adopt(SOURCE, "swish", fresh="x")
    with pytest.raises(UsageError, match="positions"):
        adopt(SOURCE, "swish", nondifferentiable="x")
    swish = adopt(SOURCE, "swish")
    assert repr(swish).startswith("<adopted swish of")
    with pytest.raises(LaunchError, match="no tensor"):
        swish(1.0)
    with pytest.raises(LaunchError, match="complex64"):
        swish(torch.zeros(1, dtype=torch.complex64))
    with pytest.raises(LaunchError, match="dimensions"):
        swish(torch.zeros((1,) * 7))
    with pytest.raises(LaunchError, match="expected a tensor"):
        swish(torch.zeros(1), object())
    with pytest.raises(LaunchError, match=r"be called with \(a tensor\): too few arguments .*'swish' declared"):
        swish(torch.zeros(1))


def test_what_extensions_include_is_there() -> None:
    cubes = adopt(Path(__file__).parent / "headers.cu", "cubes")
    x = real(3, 4)
    y, zeros = cubes(x)
    same(y, x.t().reshape(-1) ** 3)
    assert zeros.dtype == torch.int32 and not zeros.any()
    assert torch.autograd.gradcheck(lambda x: cubes(x)[0], (x,))


def test_algorithms_that_are_to_be_deterministic() -> None:
    gather = adopt(SOURCE, "gather")
    tables, at = [real(6, 4), real(6, 4, seed=2)], torch.tensor([0, 5, 5, 2])

    def how() -> set[str]:
        torch.autograd.grad(gather(tables, at, True).sum(), tables)
        plan = next(iter(gather._plans.values()))
        return {r.derivative.options.accumulate for r in plan.reverses.values()}

    torch.use_deterministic_algorithms(True)
    try:
        assert how() == {"deterministic"}
    finally:
        torch.use_deterministic_algorithms(False)
    assert how() == {"deterministic", "auto"}


def test_what_cannot_be_deterministic_is_refused_or_warned_of() -> None:
    last = adopt(ALL_STORE, "last_of_all")
    x = real(64)
    torch.use_deterministic_algorithms(True)
    try:
        with pytest.raises(DifferentiationError, match="CP0505"):
            last(x)
        torch.use_deterministic_algorithms(True, warn_only=True)
        assert last(x).shape == (2,)
    finally:
        torch.use_deterministic_algorithms(False)


def test_second_derivatives_and_graphs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    swish = adopt(SOURCE, "swish")
    x, w = real(3, 6), real(6, seed=2)
    (d_x,) = torch.autograd.grad(swish(x, w).sum(), x, create_graph=True)
    same(d_x, torch.autograd.grad(torch.nn.functional.silu(x * w).sum(), x)[0])
    with pytest.raises(LaunchError, match="second derivatives are not supported"):
        d_x.square().sum().backward()
    monkeypatch.setattr(torch.cuda, "is_current_stream_capturing", lambda: True)
    with pytest.raises(LaunchError, match="CUDA graph"), adopted._on_default_stream(torch.device("cuda")):
        pass


def test_autocast_changes_nothing() -> None:
    swish = adopt(SOURCE, "swish")
    x, w = real(3, 6), real(6, seed=2)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        y = swish(x, w)
    assert y.dtype == torch.float64
    same(y, torch.nn.functional.silu(x * w))
