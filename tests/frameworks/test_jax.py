"""Functions of JAX's arrays, against JAX's own derivatives."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cladpy
import tests.oracle  # noqa: F401  how units of tests are compiled
from cladpy.runtime.order import by_workers
from tests import together

jax: Any = pytest.importorskip("jax", reason="JAX is no dependency: pip install 'cladpy[jax]'")
jnp: Any = jax.numpy

pytestmark = pytest.mark.xdist_group("operators")
ROOT = Path(__file__).parents[2]
SOURCE = Path(__file__).with_name("operators.cu").read_text()
op = cladpy.jax.op


def blocks(*inputs: Any) -> int:
    return int((inputs[-1].size + 31) // 32)


LAYER_NORM = op(
    SOURCE,
    "layer_norm",
    inputs=["x", "weight", "bias"],
    outputs={"y": "x"},
    args=lambda x, weight, bias: {"n": x.shape[-1], "eps": 1e-5},
    grid=lambda x, weight, bias: x.size // x.shape[-1],
    block=8,
    shared_mem=64,
)
MIXED = op(
    SOURCE,
    "mixed",
    inputs=["a", "x", "table"],
    outputs={
        "y": lambda a, x, table: jax.ShapeDtypeStruct(table.shape, x.dtype),
        "z": lambda a, x, table: jnp.full(table.shape, 2.0, x.dtype),
        "signs": lambda a, x, table: jax.ShapeDtypeStruct(table.shape, np.int32),
    },
    args=lambda a, x, table: {"n": table.size},
    grid=blocks,
    block=32,
)
GELU = op(SOURCE, "gelu", inputs="x", outputs={"y": "x"}, args=lambda x: {"n": x.size}, grid=blocks, block=32)
SQUARE = op(
    SOURCE, "complex_square", inputs="x", outputs={"y": "x"}, args=lambda x: {"n": x.size}, grid=blocks, block=32
)
IN_PLACE = op(SOURCE, "in_place", inputs="x", outputs={"x": "x"}, args=lambda x: {"n": x.size}, grid=blocks, block=32)
PROGRAM = op(SOURCE, "program", inputs="x", outputs={"y": "x"}, args=lambda x: {"n": x.size})
MISFIT = op(SOURCE, "misfit", inputs=["x", "wanted"], outputs={"return": "x"}, args=lambda x, wanted: {"n": x.size})


@pytest.fixture(scope="module", autouse=True)
def in_double_precision() -> Iterator[None]:
    names = {
        LAYER_NORM: ["x", "weight", "bias", "y"],
        MIXED: ["a", "x", "y", "z"],
        GELU: ["x", "y"],
        SQUARE: ["x", "y"],
        IN_PLACE: ["x"],
        PROGRAM: ["x", "y"],
        MISFIT: ["x", "wanted"],
    }
    found = [operator._definition.gradient("host", asked) for operator, asked in names.items()]
    found.append(LAYER_NORM._definition.gradient("host", ["x", "weight", "y"]))
    parts = [together.part_of_gradient(p.gradient.derivative, workers=by_workers()) for p in found]
    together.compile_together(part for part in parts if part is not None)
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", before)


def rand(*shape: int, seed: int = 1, dtype: Any = np.float64) -> Any:
    numbers = np.random.default_rng(seed)
    real = numbers.normal(size=shape)
    return jnp.asarray(real + 1j * numbers.normal(size=shape) if np.dtype(dtype).kind == "c" else real, dtype)


def layer_norm(x: Any, weight: Any, bias: Any) -> Any:
    mean = x.mean(-1, keepdims=True)
    return (x - mean) / jnp.sqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-5) * weight + bias


def mixed(a: Any, x: Any, table: Any) -> tuple[Any, Any, Any]:
    return a * x[table] ** 2, 2 + jnp.sin(x[table]) + a, jnp.where(x[table] > 0, 1, -1)


def same(found: Any, wanted: Any, tolerance: float = 1e-13) -> None:
    for one, other in zip(jax.tree.leaves(found), jax.tree.leaves(wanted), strict=True):
        assert one.dtype == other.dtype or one.dtype == np.int32
        assert np.allclose(np.asarray(one, other.dtype), other, rtol=tolerance, atol=tolerance)


def loss(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *inputs: jnp.sin(function(*inputs)).sum()


def test_values_and_gradients() -> None:
    """As they are called, compiled, mapped, and by fewer arguments, which is another gradient."""
    inputs = rand(3, 10), rand(10, seed=2), rand(10, seed=3)
    same(jax.jit(LAYER_NORM)(*inputs), layer_norm(*inputs))
    wanted = jax.grad(loss(layer_norm), (0, 1, 2))(*inputs)
    same(jax.grad(loss(LAYER_NORM), (0, 1, 2))(*inputs), wanted)
    same(jax.jit(jax.grad(loss(LAYER_NORM), (0, 1)))(*inputs), wanted[:2])
    several = rand(2, 3, 10, seed=4)
    found, wanted = (
        jax.vmap(jax.grad(loss(f), (0, 1)), (0, None, None))(several, *inputs[1:]) for f in (LAYER_NORM, layer_norm)
    )
    same(found, wanted)
    assert {names for _, names, _ in LAYER_NORM._definition._gradients} == {
        ("x", "weight", "bias", "y"),
        ("x", "weight", "y"),
    }


def test_several_results() -> None:
    """Numbers that are differentiated, integers, outputs that begin with something, losses of some of them."""
    inputs = jnp.float64(0.7), rand(5), jnp.array([1, 1, 4, 0])
    same(jax.jit(MIXED)(*inputs), mixed(*inputs))
    for of in (lambda y, z, _: (y * z).sum(), lambda y, z, _: jnp.sin(z).sum()):
        found, wanted = (jax.jit(jax.grad(lambda *v, f=f, of=of: of(*f(*v)), (0, 1)))(*inputs) for f in (MIXED, mixed))
        same(found, wanted)


def test_inputs_never_change() -> None:
    x = rand(7)
    before = np.array(x)
    same(jax.grad(lambda x: IN_PLACE(IN_PLACE(x)).sum())(x), 9 * x**8, 1e-12)
    assert np.array_equal(before, x)


def test_types() -> None:
    half = rand(7, dtype=np.float16)
    same(jax.grad(lambda x: GELU(x).sum())(half), jax.grad(lambda x: jax.nn.gelu(x, False).sum())(half), 2e-3)
    number = rand(5, dtype=np.complex128)
    same(SQUARE(number), number**2)
    weight = lambda y: (y * (2 - 3j)).real.sum() + jnp.abs(y).sum()  # noqa: E731
    same(jax.grad(lambda x: weight(SQUARE(x)))(number), jax.grad(lambda x: weight(x**2))(number))


def test_host_functions() -> None:
    x, wanted = rand(7), rand(7, seed=2)
    same(jax.jit(jax.grad(lambda x: PROGRAM(jnp.sin(x)).sum()))(x), jax.grad(lambda x: (jnp.sin(x) ** 9).sum())(x))
    own = lambda x, w: ((x - w) ** 2 * x).sum()  # noqa: E731
    same(jax.value_and_grad(MISFIT, (0, 1))(x, wanted), jax.value_and_grad(own, (0, 1))(x, wanted))


def test_second_derivatives() -> None:
    """Gradients of gradients agree with those of JAX's own functions, by inputs and by cotangents."""

    def second(function: Callable[..., Any], *inputs: Any) -> Any:
        def weighted(*values: Any) -> Any:
            outputs = function(*values)
            outputs = outputs if isinstance(outputs, tuple) else (outputs,)
            return sum((jnp.abs(y) ** 3 * (1 + jnp.arange(y.size).reshape(y.shape) / y.size)).sum() for y in outputs)

        def first(*values: Any) -> Any:
            found = jax.grad(weighted, tuple(range(len(inputs))))(*values)
            return sum(((g.real + 2 * g.imag) * jnp.linspace(-1, 2, g.size).reshape(g.shape)).sum() for g in found)

        return jax.grad(first, tuple(range(len(inputs))))(*inputs)

    def norm(x: Any, w: Any, b: Any) -> Any:
        centred = x - x.mean(-1, keepdims=True)
        return centred * jax.lax.rsqrt((centred**2).mean(-1, keepdims=True) + 1e-5) * w + b

    table = jnp.asarray([1, 3, 1])
    for function, reference, inputs in (
        (IN_PLACE, lambda x: x**3, (rand(5),)),
        (LAYER_NORM, norm, (rand(3, 10), rand(10), rand(10))),
        (SQUARE, lambda x: x * x, (rand(5) + 1j * rand(5, seed=2),)),
        (MISFIT, lambda x, w: ((x - w) ** 2 * x).sum(), (rand(7), rand(7, seed=2))),
        (
            lambda a, x: MIXED(a, x, table)[:2],
            lambda a, x: (a * x[table] ** 2, 2 + jnp.sin(x[table]) + a),
            (jnp.asarray(0.7), rand(6)),
        ),
    ):
        same(second(function, *inputs), second(reference, *inputs), 1e-11)
    same(jax.jit(jax.jacrev(jax.grad(lambda x: IN_PLACE(x).sum())))(rand(3)), jnp.diag(6 * rand(3)))


def test_what_is_refused() -> None:
    x = rand(3)

    def grad(function: Callable[..., Any]) -> Callable[..., Any]:
        return jax.grad(lambda x: function(x).sum())

    with pytest.raises(cladpy.LaunchError, match=r"the gradient of program, as a function of JAX's.*\[CP0014\]"):
        grad(grad(PROGRAM))(x)
    with pytest.raises(cladpy.LaunchError, match="the third is not supported"):
        grad(grad(grad(IN_PLACE)))(x)
    with pytest.raises(TypeError, match="forward-mode"):
        jax.jvp(IN_PLACE, (x,), (x,))
    with pytest.raises(cladpy.LaunchError, match="the operator of in_place takes x"):
        IN_PLACE(x, x)
    with pytest.raises(Exception, match="expected an array of float64, got one of float32"):
        IN_PLACE(x.astype(np.float32)).block_until_ready()
    with pytest.raises(cladpy.UsageError, match="inputs must be names"):
        op(SOURCE, "in_place", inputs=[], outputs={"x": "x"})


def test_the_page() -> None:
    page = (ROOT / "docs" / "frameworks.md").read_text()
    snippet = next(s for s in re.findall(r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE) if "jax" in s)
    names: dict[str, Any] = {}
    exec(snippet, names)  # noqa: S102
    x, w = names["x"], names["w"]
    wanted = jax.grad(lambda w: ((x * jax.nn.sigmoid(w * x)) ** 2).sum())(w)
    assert np.allclose(names["found"], wanted, rtol=1e-4, atol=1e-6)
