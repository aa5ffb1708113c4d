"""Where proofs end because there is too much to look at: then nothing is proved, and nothing takes long."""

from __future__ import annotations

from cladpy.analysis.affine import LARGEST, Affine
from cladpy.analysis.bounds import Facts
from cladpy.analysis.comparison import DEEPEST, Comparison
from cladpy.analysis.elements import Elements
from cladpy.analysis.owned import MOST_PAIRS
from cladpy.analysis.twins import Twins
from cladpy.ir import core
from cladpy.ir.code_text import format_code
from cladpy.ir.surface import BuiltinVar
from cladpy.ir.types import INT, UINT
from tests.ir.stages import core_of, gradient_of

EMPTY = "__global__ void k(const double *x, double *y) { y[threadIdx.x] = x[threadIdx.x]; }"
THREAD = core.Builtin(BuiltinVar.THREAD_X, UINT)


def _gradient(text: str) -> str:
    return format_code(gradient_of(text, args="x, y", growable=False).main)


def _kernel(body: str) -> str:
    return f"__global__ void k(const double *x, double *y) {{ int i = blockIdx.x * blockDim.x + threadIdx.x; {body} }}"


def test_a_buffer_that_is_read_in_many_places() -> None:
    """With few of them, threads are known to come to elements of their own."""
    few, many = 3, 50
    assert few * few < MOST_PAIRS < many * many / 2
    for count, update in ((few, "plain"), (many, "atomic")):
        every = " + ".join(f"x[{many} * i + {k}]" for k in range(count))
        assert f"{update} d@x[" in _gradient(_kernel(f"y[i] = {every};"))


def test_an_index_of_many_digits() -> None:
    names = [core.Use(core.Value(f"n{k}", INT)) for k in range(DEEPEST + 2)]
    elements = Elements(core_of(EMPTY))
    elements.fixed |= {n.value for n in names}
    index = Affine.of({(THREAD, *names[:k]): 1 for k in range(len(names) + 1)})
    assert Comparison(elements, Facts(), Facts()).equal(index, index, DEEPEST) == frozenset()


def test_a_division_of_many_steps() -> None:
    n, *parts = (core.Use(core.Value(f"n{k}", INT)) for k in range(LARGEST))
    index = Affine.of({(n, n, part): 1 for part in parts})
    radix = Affine.of({(n,): 1, (): 1})
    assert len(index.terms) <= LARGEST
    assert Comparison(Elements(core_of(EMPTY)), Facts(), Facts())._digits(index, radix, 0) is None


def test_bounds_of_many_definitions() -> None:
    """Loops with one bound are told to run equally often where it is not too far to what both bounds are made of."""
    for length, equal in ((3, True), (40, False)):
        values = [core.Value(f"n{k}", INT) for k in range(2 * length + 1)]
        lets: dict[core.Value, core.Expr] = {}
        for k in range(length):
            for side in (0, 1):
                before = values[0] if k == 0 else values[2 * k - 1 + side]
                lets[values[2 * k + 1 + side]] = core.Use(before)
        twins = Twins(lets)
        assert twins._are_equal(core.Use(values[-1]), core.Use(values[-2])) is equal
