"""Operators of PyTorch's, against PyTorch's own layers, and by PyTorch's own checks of operators."""

from __future__ import annotations

import re
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import pytest

import cladpy
import tests.oracle  # noqa: F401  how units of tests are compiled
from cladpy.frameworks.of_gradients import definition_of
from cladpy.runtime.order import by_workers
from tests import together

torch: Any = pytest.importorskip("torch", reason="PyTorch is no dependency: pip install 'cladpy[torch]'")

from tests.frameworks.layers import (  # noqa: E402  which needs it
    GELU,
    IN_PLACE,
    LAYER_NORM,
    MISFIT,
    MIXED,
    PROGRAM,
    SHIFTED,
    SOFTMAX,
    SOURCE,
    blocks,
    op,
)

pytestmark = [
    pytest.mark.xdist_group("operators"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # PyTorch's, of what PyTorch uses
    pytest.mark.filterwarnings("ignore:The .grad attribute of a Tensor that is not a leaf"),
]
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """What the tests call, in one unit."""
    names = {
        LAYER_NORM: ["x", "weight", "bias", "y"],
        SOFTMAX: ["x", "y"],
        GELU: ["x", "y"],
        MIXED: ["a", "x", "y", "z"],
        IN_PLACE: ["x"],
        SHIFTED: ["x", "by", "scale", "y"],
        PROGRAM: ["x", "y"],
        MISFIT: ["x", "wanted"],
    }
    found = [operator._definition.gradient("host", asked) for operator, asked in names.items()]
    found += [LAYER_NORM._definition.gradient("host", [*names, "y"]) for names in (["x"], ["x", "weight"])]
    found.append(SHIFTED._definition.gradient("host", ["by", "y"]))
    parts = [together.part_of_gradient(p.gradient.derivative, workers=by_workers()) for p in found]
    together.compile_together(part for part in parts if part is not None)


def rand(*shape: int, dtype: Any = torch.float64, seed: int = 1, grad: bool = True) -> Any:
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(shape, dtype=torch.float64, generator=generator).to(dtype).requires_grad_(grad)


def same(function: Callable[..., Any], reference: Callable[..., Any], *inputs: Any, tolerance: float) -> None:
    """Values and gradients of two functions, with the same cotangents."""
    found, wanted = function(*inputs), reference(*inputs)
    leaves = [x for x in inputs if x.requires_grad]
    cotangent = rand(*wanted.shape, dtype=wanted.dtype, seed=9, grad=False)
    gradients = [torch.autograd.grad(y, leaves, cotangent) for y in (found, wanted)]
    for one, other in [(found, wanted), *zip(*gradients, strict=True)]:
        assert one.dtype == other.dtype
        assert torch.allclose(one, other, rtol=tolerance, atol=tolerance)


def mixed(a: Any, x: Any, table: Any) -> tuple[Any, Any, Any]:
    return a * x[table] ** 2, 2 + x[table].sin() + a, torch.where(x[table] > 0, 1, -1).int()


def test_layers() -> None:
    """At the level of rounding, of the type that each has."""
    functional = torch.nn.functional
    norm = lambda x, w, b: functional.layer_norm(x, (10,), w, b)  # noqa: E731
    same(LAYER_NORM, norm, rand(3, 10), rand(10), rand(10), tolerance=1e-14)
    same(LAYER_NORM, norm, rand(10, 3).t(), rand(10), rand(10, grad=False), tolerance=1e-14)
    same(SOFTMAX, lambda x: x.softmax(-1), rand(3, 7, dtype=torch.float32), tolerance=1e-6)
    same(GELU, functional.gelu, rand(3, 7, dtype=torch.float16), tolerance=1e-3)
    same(PROGRAM, lambda x: x**9, rand(2, 5), tolerance=1e-13)
    same(MISFIT, lambda x, w: ((x - w) ** 2 * x).sum(), rand(7), rand(7, seed=2), tolerance=1e-13)


def test_complex_numbers() -> None:
    square = op(
        SOURCE, "complex_square", inputs="x", outputs={"y": "x"}, args=lambda x: {"n": x.numel()}, grid=blocks, block=32
    )
    x = torch.complex(rand(5), rand(5, seed=2))
    for number in (x, x.conj()):
        same(square, lambda x: x * x, number, tolerance=1e-14)


def test_inputs_stay_as_they_are() -> None:
    """An argument that is overwritten, or an input that the function takes as an output, is a copy."""
    x = rand(2, 3)
    before = x.detach().clone()
    same(IN_PLACE, lambda x: x**3, x, tolerance=1e-14)
    assert torch.equal(x.detach(), before)


def test_several_results() -> None:
    a, x, table = torch.tensor(0.7, dtype=torch.float64, requires_grad=True), rand(5), torch.tensor([1, 1, 4, 0])
    found, wanted = MIXED(a, x, table), mixed(a, x, table)
    assert all(torch.allclose(f, w) for f, w in zip(found, wanted, strict=True))
    assert not found[2].requires_grad
    assert torch.equal(torch.ops.tests.mixed(a, x, table)[0], found[0])
    for loss in (lambda y, z, _: (y * z).sum(), lambda y, z, _: z.sin().sum()):
        gradients = [torch.autograd.grad(loss(*y), (a, x), retain_graph=True) for y in (found, wanted)]
        assert all(torch.allclose(f, w) for f, w in zip(*gradients, strict=True))


def test_what_a_callable_gives_stays_as_it_is() -> None:
    """Of an output that the function adds to, and reads in its gradient, the backward pass begins with the same."""
    program = """
    __global__ void total(const double *x, double *sum, double *y) {
      sum[threadIdx.x] += x[threadIdx.x] * x[threadIdx.x];
      y[threadIdx.x] = sum[threadIdx.x] * sum[threadIdx.x];
    }
    """
    start = torch.ones(5, dtype=torch.float64)
    total = op(program, "total", inputs="x", outputs={"y": "x", "sum": lambda x: start}, grid=1, block=5)
    for _ in range(2):
        same(lambda x: total(x)[0], lambda x: (1 + x * x) ** 2, rand(5), tolerance=1e-14)
    assert torch.equal(start, torch.ones_like(start))


def test_pytorchs_own_checks() -> None:
    x = rand(2, 5)
    a, table = torch.tensor(0.7, dtype=torch.float64, requires_grad=True), torch.tensor([1, 1, 4, 0])
    for operator, inputs in (
        (LAYER_NORM, (x, rand(5), rand(5))),
        (LAYER_NORM, (x, rand(5, grad=False), rand(5, grad=False))),
        (IN_PLACE, (x.t(),)),
        (PROGRAM, (x[:, ::2],)),
        (MISFIT, (x, rand(2, 5, seed=2))),
    ):
        assert torch.autograd.gradcheck(operator, inputs)
    for operator, inputs in ((MIXED, (a, rand(5), table)), (IN_PLACE, (x,))):
        results = torch.library.opcheck(operator.op, inputs)
        assert set(results.values()) == {"SUCCESS"}


def test_compiled_with_the_rest_of_a_model() -> None:
    def model(x: Any, w: Any, b: Any) -> Any:
        return (LAYER_NORM(x.sin(), w, b) * 2).exp().sum()

    whole = torch.compile(model, fullgraph=True, backend="aot_eager", dynamic=True)
    for rows in (3, 4):
        inputs = rand(rows, 10), rand(10), rand(10)
        found, wanted = (torch.autograd.grad(m(*inputs), inputs) for m in (whole, model))
        assert all(torch.equal(f, w) for f, w in zip(found, wanted, strict=True))


def test_transformations() -> None:
    x, w, b = rand(4, 2, 10, grad=False), rand(10, grad=False), rand(10, grad=False)
    assert torch.equal(torch.vmap(LAYER_NORM, (0, None, None))(x, w, b), LAYER_NORM(x, w, b))
    norm = lambda x, w, b: torch.nn.functional.layer_norm(x, (10,), w, b)  # noqa: E731
    found, wanted = (
        torch.vmap(torch.func.grad(lambda *v, f=f: f(*v).sin().sum(), argnums=(0, 1)), (0, None, None))(x, w, b)
        for f in (LAYER_NORM, norm)
    )
    assert all(torch.allclose(f, w) for f, w in zip(found, wanted, strict=True))
    whole = torch.func.grad(lambda x: torch.vmap(IN_PLACE)(x).sum())(x[0])
    assert torch.allclose(whole, 3 * x[0] ** 2)
    outputs = torch.vmap(MIXED, (None, 0, None))(torch.tensor(0.5, dtype=torch.float64), x[0], torch.tensor([1, 3]))
    assert [tuple(y.shape) for y in outputs] == [(2, 2)] * 3


def test_second_derivatives() -> None:
    """Gradients of gradients agree with those of PyTorch's own functions, by inputs and by cotangents."""

    def second(function: Callable[..., Any], *inputs: Any) -> tuple[Any, ...]:
        outputs = function(*inputs)
        outputs = outputs if isinstance(outputs, tuple) else (outputs,)
        weighted = ((y * (1 + torch.arange(y.numel()).reshape(y.shape) / y.numel())).sin().sum() for y in outputs)
        first = torch.autograd.grad(sum(weighted), inputs, create_graph=True)
        return torch.autograd.grad(
            sum((g * torch.linspace(-1, 2, g.numel()).reshape(g.shape)).sum() for g in first), inputs
        )

    norm = lambda x, w, b: torch.nn.functional.layer_norm(x, (10,), w, b)  # noqa: E731
    table = torch.tensor([1, 3, 1])
    for function, reference, inputs, tolerance in (
        (LAYER_NORM, norm, (rand(3, 10), rand(10), rand(10)), 1e-12),
        (SOFTMAX, lambda x: x.softmax(-1), (rand(3, 7, dtype=torch.float32),), 1e-5),
        (GELU, torch.nn.functional.gelu, (rand(3, 7, dtype=torch.float16),), 1e-2),
        (IN_PLACE, lambda x: x**3, (rand(5),), 1e-13),
        (SHIFTED, lambda x, by, scale: x * scale + by, (rand(9), rand(9), rand(9)), 1e-13),
        (MISFIT, lambda x, w: ((x - w) ** 2 * x).sum(), (rand(7), rand(7, seed=2)), 1e-12),
        (
            lambda a, x: MIXED(a, x, table)[:2],
            lambda a, x: mixed(a, x, table)[:2],
            (torch.tensor(0.7, dtype=torch.float64, requires_grad=True), rand(6)),
            1e-13,
        ),
    ):
        for found, wanted in zip(second(function, *inputs), second(reference, *inputs), strict=True):
            assert found.dtype == wanted.dtype
            assert torch.allclose(found, wanted, rtol=tolerance, atol=tolerance)
    x = rand(5, grad=False)
    of_sum = lambda x: IN_PLACE(x).sum()  # noqa: E731
    assert torch.allclose(torch.func.jacrev(torch.func.jacrev(of_sum))(x), torch.diag(6 * x))
    assert torch.autograd.gradgradcheck(SHIFTED, (rand(9), rand(9), rand(9)))


def test_what_a_kernel_stores_to_is_no_promise(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a device the adjoints of inputs are promised to hold zero: not those of inputs that the kernel stores to."""
    monkeypatch.setattr("cladpy.making.select_backend", lambda requested: requested)
    monkeypatch.setattr("cladpy.runtime.gradient.on_devices", lambda: {"cuda": MagicMock()})
    needed = [True, True, True]
    twice = definition_of(LAYER_NORM._definition, "cuda", needed, [True], lambda name, x: None)
    prepared = twice.gradient("cuda", ["x", "weight", "bias", "_d_y", *twice.outputs])
    assert "_d_y" in prepared.written
    assert prepared.gradient.derivative.options.fresh == ("x", "weight", "bias")


def test_what_has_no_derivative() -> None:
    x = rand(3)
    first = torch.autograd.grad(PROGRAM(x).sum(), x, create_graph=True)[0]
    with pytest.raises(cladpy.LaunchError, match=r"the gradient of program, as an operator of PyTorch.*\[CP0014\]"):
        first.sum().backward()
    first = torch.autograd.grad(IN_PLACE(x).sum(), x, create_graph=True)[0]
    second = torch.autograd.grad(first.sum(), x, create_graph=True)[0]
    with pytest.raises(cladpy.LaunchError, match="the third is not supported"):
        second.sum().backward()
    with pytest.raises(cladpy.LaunchError, match="the operator of in_place has no forward-mode derivative"):
        torch.func.jvp(IN_PLACE, (x.detach(),), (x.detach(),))
    with torch.autograd.forward_ad.dual_level():
        for primal in (x, x.detach()):
            dual = torch.autograd.forward_ad.make_dual(primal, torch.ones(3, dtype=torch.float64))
            with pytest.raises(cladpy.LaunchError, match="the operator of in_place has no forward-mode derivative"):
                IN_PLACE(dual)
        assert torch.equal(IN_PLACE(x), IN_PLACE(x.detach()))


def test_a_graph_that_is_retained() -> None:
    x = rand(3)
    loss = IN_PLACE(IN_PLACE(x)).sum()
    loss.backward(retain_graph=True)
    once = x.grad.clone()
    loss.backward()
    assert torch.equal(x.grad, 2 * once) and torch.allclose(once, 9 * x.detach() ** 8)


def test_only_what_the_gradient_reads_is_saved() -> None:
    """Of a linear function nothing, and of a product the other factor alone; nothing is computed that nobody wants."""

    def saved(*inputs: Any) -> list[int]:
        sizes = []
        with torch.autograd.graph.saved_tensors_hooks(lambda t: sizes.append(t.untyped_storage().nbytes()) or t, id_):
            y = SHIFTED(*inputs)
        leaves = [x for x in inputs if x.requires_grad]
        found = torch.autograd.grad(y.sum(), leaves)
        x, by, scale = inputs
        wanted = torch.autograd.grad((x * scale + by).sum(), leaves)
        assert all(torch.equal(f, w) for f, w in zip(found, wanted, strict=True))
        return sizes

    id_ = lambda t: t  # noqa: E731
    assert saved(rand(9, grad=False), rand(9), rand(9, grad=False)) == [8, 8, 8]
    assert saved(rand(9), rand(9), rand(9)) == [72, 8, 72]
    assert [g for g in SHIFTED._definition._gradients if "x" not in g[1]]
    x = rand(9)
    y = SHIFTED(x, rand(9), rand(9))
    with torch.no_grad():
        x += 1
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()


def test_cotangents_stay_as_they_are() -> None:
    """Also those that are other arguments, or the cotangents of several outputs: where the gradient would change them,
    or asks for memory of its own, it is given copies."""
    x, by, scale, given = rand(9), rand(9), rand(9, grad=False), rand(9, seed=4, grad=False)
    before = given.clone()
    for cotangent in (given, scale, given.expand(9)):
        found = torch.autograd.grad(SHIFTED(x, by, scale), (x, by), cotangent)
        assert torch.equal(found[0], cotangent * scale) and torch.equal(found[1], cotangent)
    a, table = torch.tensor(0.7, dtype=torch.float64, requires_grad=True), torch.arange(9)
    found = torch.autograd.grad(MIXED(a, x, table)[:2], x, (given, given))[0]
    assert torch.allclose(found, given * (1.4 * x + x.cos()))
    found = torch.autograd.grad(IN_PLACE(x), x, given)[0]
    assert torch.allclose(found, 3 * x**2 * given) and torch.equal(given, before)


def test_modes_see_the_operator() -> None:
    """What watches PyTorch's operators is given ours, in place of what they are made of."""
    from torch.utils._python_dispatch import TorchDispatchMode

    class Seen(TorchDispatchMode):  # type: ignore[misc, unused-ignore]
        names: list[str] = []  # noqa: RUF012

        def __torch_dispatch__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            self.names.append(str(function))
            return function(*args, **(kwargs or {}))

    x = rand(4)
    with Seen():
        torch.autograd.grad(MIXED(x[0], x, torch.tensor([1]))[0].sum(), x)
    assert "tests.mixed.default" in Seen.names and "tests.mixed_backward.default" in Seen.names
    traced = torch.fx.experimental.proxy_tensor.make_fx(IN_PLACE)(x.detach())
    assert "in_place" in traced.code


def test_callables_may_not_depend_on_what_is_not_saved() -> None:
    rigid = op(
        SOURCE,
        "shifted",
        inputs=["x", "by", "scale"],
        outputs={"y": "x"},
        args=lambda x, by, scale: {"n": int(by.max()) and by.numel()},
        grid=1,
        block=32,
    )
    y = rigid(rand(9), torch.ones(9, dtype=torch.float64), rand(9))
    with pytest.raises(cladpy.LaunchError, match="uses max of by, whose content is not kept"):
        y.sum().backward()


def test_autocast() -> None:
    """Inputs get the types of the function's parameters, their gradients their own."""
    x, w, b = rand(3, 10, dtype=torch.bfloat16), rand(10, dtype=torch.float32), rand(10)
    with pytest.raises(cladpy.ArgumentTypeError, match="x: expected an array of float64"):
        LAYER_NORM(x, w, b)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        y = LAYER_NORM(x, w, b)
    assert y.dtype == torch.float64
    assert [g.dtype for g in torch.autograd.grad(y.sum(), (x, w, b))] == [torch.bfloat16, torch.float32, torch.float64]


def test_algorithms_that_are_to_be_deterministic() -> None:
    x = rand(5)
    torch.use_deterministic_algorithms(True)
    try:
        found = torch.autograd.grad(IN_PLACE(x).sum(), x)[0]
    finally:
        torch.use_deterministic_algorithms(False)
    assert torch.equal(found, torch.autograd.grad(IN_PLACE(x).sum(), x)[0])
    assert any(
        p.gradient.derivative.options.accumulate == "deterministic" for p in IN_PLACE._definition._gradients.values()
    )


def test_arrays_without_elements() -> None:
    x = rand(0)
    assert torch.autograd.grad(IN_PLACE(x).sum(), x)[0].shape == (0,)


def test_what_is_no_operator() -> None:
    given = {"inputs": ["x"], "outputs": {"x": "x"}}
    for wrong, said in (
        ({"inputs": []}, "inputs must be names"),
        ({"inputs": ["x", "x"]}, "'x' is named twice"),
        ({"outputs": {}}, "outputs must map names"),
        ({"outputs": {"y": "z"}}, r"outputs\['y'\] must be the name of an input"),
        ({"outputs": {"x": lambda x: x}}, "'x' is an input too"),
        ({"grid": 1}, "a kernel needs grid and block"),
        ({"args": 3}, "args must be a dict"),
        ({"backend": "host"}, "backend is no option of an operator"),
        ({"name": "in_place"}, "name must be like"),
        ({"name": "tests::mixed"}, "there is an operator tests::mixed already"),
    ):
        with pytest.raises(cladpy.UsageError, match=said):
            op(SOURCE, "in_place", **given | wrong)
    with pytest.raises(cladpy.UsageError, match=r"cannot read .nothing\.cu."):
        op("nothing.cu", "in_place", **given)
    x = rand(4)
    for operator, inputs, said in (
        (op(SOURCE, "in_place", **given), (x,), "in_place is a kernel: an operator of it needs grid and block"),
        (op(SOURCE, "program", inputs="x", outputs={"y": "x"}, grid=1, block=1), (x,), "program is not __global__"),
        (op(SOURCE, "in_place", **given, grid=1, block=1), (x,), "the operator of in_place: n is missing"),
        (op(SOURCE, "in_place", **given, args={"x": 1}, grid=1, block=1), (x,), "args: 'x' is an input"),
        (MIXED, (rand(2), x, torch.tensor([1])), "a: a number is an array of one element"),
    ):
        with pytest.raises(cladpy.CladpyError, match=said):
            operator(*inputs)


def test_scratch_is_an_output_where_a_derivative_passes_through_it() -> None:
    rest = {"inputs": "x", "args": lambda x: {"n": x.numel(), "scratch": torch.zeros_like(x)}, "grid": 1, "block": 8}
    x = rand(4)
    with pytest.raises(cladpy.DifferentiationError, match="hint: make 'scratch' an output of the operator"):
        op(SOURCE, "by_scratch", outputs={"y": "x"}, **rest)(x)
    rest["args"] = lambda x: {"n": x.numel()}
    y, _ = op(SOURCE, "by_scratch", outputs={"y": "x", "scratch": "x"}, **rest)(x)
    assert torch.allclose(torch.autograd.grad(y.sum(), x)[0], 4 * x**3)


def test_the_page_and_the_example() -> None:
    page = (ROOT / "docs" / "frameworks.md").read_text()
    snippet = next(s for s in re.findall(r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE) if "torch" in s)
    names: dict[str, Any] = {}
    exec(snippet, names)  # noqa: S102
    x, w = names["x"], names["w"].detach().requires_grad_()
    wanted = torch.autograd.grad((x * torch.sigmoid(w * x)).square().sum(), w)[0]
    assert torch.allclose(names["w"].grad, wanted, rtol=1e-4, atol=1e-6)
    example = runpy.run_path(str(ROOT / "examples" / "torch_layer" / "torch_layer.py"))
    ours, theirs = (example["losses"](example[layer], "cpu", steps=3) for layer in ("gated_norm", "reference"))
    assert ours == pytest.approx(theirs, rel=1e-5)
