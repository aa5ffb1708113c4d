"""Adopted functions under `torch.compile` and transformations of `torch.func`, and in the place of what is loaded."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import tests.oracle  # noqa: F401  how units of tests are compiled
from cladpy import LaunchError, UsageError

torch: Any = pytest.importorskip("torch", reason="PyTorch is no dependency: pip install 'cladpy[torch]'")

from cladpy.frameworks.adopted_operators import arguments  # noqa: E402  which needs it
from cladpy.torch import adopt, replace  # noqa: E402

pytestmark = [
    pytest.mark.xdist_group("adopted"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # PyTorch's, of what PyTorch uses
]
SOURCE = Path(__file__).parent / "extension.cu"


@pytest.fixture(scope="module")
def swish() -> Any:
    return adopt(SOURCE, "swish")


def real(*shape: int, seed: int = 1) -> Any:
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, dtype=torch.float64, generator=generator).requires_grad_(True)


def same(found: Any, wanted: Any) -> None:
    torch.testing.assert_close(found, wanted)


def compiled(function: Any) -> Any:
    return torch.compile(function, fullgraph=True, backend="aot_eager")


def test_compiled_as_one_graph(swish: Any) -> None:
    def loss(x: Any, w: Any) -> Any:
        return (swish(2 * x, w) ** 2).sum()

    x, w = real(4, 6), real(6, seed=2)
    wanted = (torch.nn.functional.silu(2 * x * w) ** 2).sum()
    found = compiled(loss)(x, w)
    same(found, wanted)
    same(torch.autograd.grad(found, (x, w)), torch.autograd.grad(wanted, (x, w)))
    found = compiled(loss)(x, w.detach())
    same(torch.autograd.grad(found, x), torch.autograd.grad((torch.nn.functional.silu(2 * x * w) ** 2).sum(), x))
    assert torch.autograd.gradcheck(compiled(loss), (real(3, 6), w))


def test_compiled_with_lists_constants_and_several_results() -> None:
    gather, squares = adopt(SOURCE, "gather"), adopt(SOURCE, "squares")
    tables, index = [real(5, 4), real(5, 4, seed=2)], torch.tensor([0, 3, 4])
    found = compiled(lambda tables, index: gather(tables, index, True))(tables, index)
    wanted = (2 * tables[0] + tables[1])[index].view(-1, 2, 2)
    same(found, wanted)
    same(torch.autograd.grad(found.sum(), tables), torch.autograd.grad(wanted.sum(), tables))
    x = real(4, 3)
    y, above = compiled(lambda x: squares(x))(x)
    same(above, (x[:, 0] > 0).long())
    same(torch.autograd.grad(y.sum(), x), (2 * x.detach(),))


def test_by_transformations(swish: Any) -> None:
    x, w = real(3, 4, 6), real(6, seed=2)
    y = torch.vmap(swish, in_dims=(1, None))(x, w)
    wanted = torch.nn.functional.silu(x * w).transpose(0, 1)
    same(y, wanted)
    same(torch.autograd.grad(y.sum(), (x, w)), torch.autograd.grad(wanted.sum(), (x, w)))

    def loss(x: Any, w: Any) -> Any:
        return swish(x, w).sum()

    each = torch.vmap(torch.func.grad(loss), in_dims=(0, None))(x.detach(), w.detach())
    same(each, torch.autograd.grad(torch.nn.functional.silu(x * w).sum(), x)[0])
    with pytest.raises(LaunchError, match="second derivatives"):
        torch.func.grad(lambda x: torch.func.grad(loss)(x, w.detach()).sum())(x.detach()[0])
    with pytest.raises(LaunchError, match="vmap over nothing"):
        torch.vmap(swish, in_dims=(0, None))(x.detach()[:0], w.detach())


def test_what_graphs_have_no_word_for() -> None:
    scale = adopt(SOURCE, "scale")
    x = real(4).detach()
    with pytest.raises(LaunchError, match="changes a tensor"):
        torch.vmap(lambda x, y: scale(x, y, 2.0))(x.view(2, 2), x.view(2, 2).clone())
    form = "([T, T, ], I, R, True, None, 'a', )"
    assert arguments(form, [1, 2], [3], [0.5]) == [[1, 2], 3, 0.5, True, None, "a"]


def loaded(**functions: Any) -> Any:
    """Stands for a module of pybind11's, which knows nothing of gradients."""
    return SimpleNamespace(**{name: torch.no_grad()(f) for name, f in functions.items()})


def test_in_the_place_of_what_is_loaded() -> None:
    calls = []

    def forward(x: Any, w: Any) -> Any:
        calls.append(x.shape)
        return torch.nn.functional.silu(x * w)

    module = loaded(forward=forward)
    original = module.forward
    replaced = replace(module, "forward", source=SOURCE, function="swish")
    assert replace(module, "forward", source=SOURCE, function="swish").original is original
    x, w = real(4, 6), real(6, seed=2)
    assert torch.autograd.gradcheck(module.forward, (x, w))
    calls.clear()
    y = module.forward(x, w)
    assert len(calls) == 1
    y.sum().backward()
    assert len(calls) == 1
    same(w.grad, torch.autograd.grad(torch.nn.functional.silu(x * w).sum(), w)[0])
    assert not module.forward(x.detach(), w=w.detach()).requires_grad
    with pytest.raises(LaunchError, match="by position"):
        module.forward(x, w=w)
    assert "swish" in repr(replaced)
    replaced.restore()
    assert module.forward is original


def test_results_stay_as_the_module_gives_them() -> None:
    module = loaded(squares=lambda x: [x * x, (x[:, 0] > 0).long()], bad=lambda x: [x * x, None])
    replace(module, "squares", source=SOURCE)
    x = real(4, 3)
    found = module.squares(x)
    assert isinstance(found, list)
    same(torch.autograd.grad(found[0].sum(), x), (2 * x.detach(),))
    assert not found[1].requires_grad


@pytest.mark.parametrize(
    ("function", "given", "check", "said"),
    [
        (lambda x, w: x * w, "swish", True, "something other than the function that is loaded"),
        (lambda x, w: (x * w)[0], "swish", False, "something other than the function that is loaded"),
        (lambda x, w: None, "swish", True, "something other than"),
    ],
)
def test_a_source_of_another_function(function: Any, given: str, check: bool, said: str) -> None:
    module = loaded(forward=function)
    replace(module, "forward", source=SOURCE, function=given, check=check)
    with pytest.raises(LaunchError, match=said):
        module.forward(real(4, 6), real(6))


def test_infinities_do_not_make_functions_alike(swish: Any) -> None:
    x, w = real(4, 6), real(6)
    with torch.no_grad():
        x[0, 0] = torch.inf
        w[0] = 1
    module = loaded(forward=lambda x, w: torch.nn.functional.silu(x * w), other=lambda x, w: x * w)
    replace(module, "forward", source=SOURCE, function="swish")
    same(module.forward(x, w), swish(x, w))
    replace(module, "other", source=SOURCE, function="swish")
    with pytest.raises(LaunchError, match="something other than the function that is loaded"):
        module.other(x, w)


def test_what_cannot_be_replaced() -> None:
    with pytest.raises(UsageError, match="has no function 'backward'"):
        replace(loaded(), "backward", source=SOURCE)
    module = loaded(scale=lambda x, y, a: None)
    replace(module, "scale", source=SOURCE)
    with pytest.raises(LaunchError, match="changes a tensor"):
        module.scale(real(4), torch.zeros(4, dtype=torch.float64), 2.0)
