"""`--set`: values for the arguments of a check."""

from __future__ import annotations

import numpy as np
import pytest

from cladpy.check.settings import argument_values
from cladpy.diagnostics import NOWHERE, UsageError
from cladpy.ir.symbols import Role, Symbol
from cladpy.ir.types import DOUBLE, FLOAT, INT, UINT, Pointer, Type

TYPES: dict[str, Type] = {
    "x": Pointer(DOUBLE),
    "w": Pointer(FLOAT),
    "k": Pointer(INT),
    "n": INT,
    "u": UINT,
    "a": DOUBLE,
}


def values(settings: str, names: str) -> list[object]:
    parameters = [Symbol(name, TYPES[name], Role.PARAMETER, NOWHERE) for name in names.split()]
    return argument_values(parameters, settings.split(), np.random.default_rng(1))


def test_every_form() -> None:
    x, w, k, n, a = values("n=4 x=random:3x2 w=linspace:0:1:5 k=[3,1,2] a=-2.5e-1", "x w k n a")
    assert isinstance(x, np.ndarray) and x.shape == (3, 2) and x.dtype == np.float64
    assert 0.2 <= x.min() <= x.max() <= 1.2
    np.testing.assert_array_equal(w, np.array([0, 0.25, 0.5, 0.75, 1], np.float32))
    assert isinstance(k, np.ndarray) and k.dtype == np.int32 and k.tolist() == [3, 1, 2]
    assert n == 4 and a == -0.25
    zeros, ones = values("x=zeros:4 w=ones:2", "x w")
    assert isinstance(zeros, np.ndarray) and zeros.tolist() == [0.0] * 4
    assert isinstance(ones, np.ndarray) and ones.tolist() == [1.0] * 2


def test_random_integers_are_indices() -> None:
    (k,) = values("k=random:50", "k")
    assert isinstance(k, np.ndarray) and k.min() >= 0 and 30 < k.max() < 50


def test_the_seed_decides() -> None:
    parameters = [Symbol("x", TYPES["x"], Role.PARAMETER, NOWHERE)]
    one, same, other = (argument_values(parameters, ["x=random:5"], np.random.default_rng(s))[0] for s in (1, 1, 2))
    assert one.tolist() == same.tolist() != other.tolist()


@pytest.mark.parametrize(
    ("settings", "names", "message"),
    [
        ("n=4", "n x a", r"no value for 'x', 'a': give one with --set, such as --set x=random:64"),
        ("z=4 n=1", "n", "--set z: no such parameter; there are n"),
        ("n=4 n=5", "n", "--set n: given twice"),
        ("n", "n", "--set takes name=value, got 'n'"),
        ("n=many", "n", "--set n: 'many' is none of a number"),
        ("n=1.5", "n", "--set n: 1.5 is not a value of its type"),
        ("u=-1", "u", "--set u: -1 is not a value of its type"),
        ("n=[1]", "n", "a scalar parameter takes a number"),
        ("x=3", "x", "--set x: '3' is none of a number"),
        ("x=random:0", "x", "'random:0' is none of"),
        ("x=linspace:1:2", "x", "'linspace:1:2' is none of"),
    ],
)
def test_what_does_not_fit(settings: str, names: str, message: str) -> None:
    with pytest.raises(UsageError, match=message.replace("[", r"\[")):
        values(settings, names)
