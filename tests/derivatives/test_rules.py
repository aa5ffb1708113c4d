"""Every rule against the derivative that mpmath finds of its own function, by numeric differentiation at 40 digits."""

from __future__ import annotations

import ctypes
import random
import subprocess
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from mpmath import mp, mpf

from cladpy.derivatives import MathRule
from tests.derivatives.program import entries, integer_operand, program
from tests.derivatives.reference import reference

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.xdist_group("rules")  # compiled once
SAMPLES = 12
EPSILON = {"float": 2.0**-24, "double": 2.0**-53}
DTYPE = {"float": np.float32, "double": np.float64, "int": np.int32, "long": np.int64}
# Units of half an ulp, relative to the derivative, that a rule may be off: 2e-15 in double, 1e-6 in float.
DEFAULT_BOUND = 16
# 2 x r and 2/sqrt(pi) cancel by a factor of up to 2 x^2 = 200 below x = 10
BOUNDS = {"erfcx": 200}
# Derivatives that cross zero inside the domain: there the error counts relative to the function's size instead.
OSCILLATING = frozenset(["lgamma", "tgamma", "j0", "j1", "jn", "y0", "y1", "yn"])


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    folder = tmp_path_factory.mktemp("rules")
    source = folder / "rules.cpp"
    source.write_text("#include <cladpy/host.h>\n" + program())
    flags = ["-std=c++17", "-O1", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared"]
    include = f"-I{ROOT / 'custom_derivatives'}"
    output = folder / "rules.so"
    subprocess.run(["g++", *flags, include, str(source), "-o", str(output)], check=True)
    return ctypes.CDLL(str(output))


def evaluate(library: ctypes.CDLL, entry: str, precision: str, operands: list[np.ndarray]) -> list[np.ndarray]:
    """The value and the partials at all samples."""
    count = len(operands[0])
    results = [np.zeros(count, DTYPE[precision]) for _ in range(len(operands) + 1)]
    pointers = [ctypes.c_void_p(a.ctypes.data) for a in (*operands, *results)]
    getattr(library, entry)(ctypes.c_int(count), *pointers)
    return results


def sample(rule: MathRule, precision: str) -> list[np.ndarray]:
    """Operands drawn from the rule's domain, representable in the precision."""
    source = random.Random(rule.name)
    operands = []
    for position, (low, high) in enumerate(rule.domain):
        integer = integer_operand(rule.name, position)
        if integer:
            values = [source.randint(int(low), int(high)) for _ in range(SAMPLES)]
        else:
            values = [source.uniform(low, high) for _ in range(SAMPLES)]
        kind = integer or ("double" if rule.name.startswith("__double2float") else precision)
        operands.append(np.array(values, DTYPE[kind]))
    return operands


@cache
def expected(name: str, point: tuple[float, ...], position: int) -> mpf:
    with mp.workdps(40):
        function = reference(name)
        at = [mpf(v) for v in point]

        def along(v: mpf) -> mpf:
            return function(*at[:position], v, *at[position + 1 :])

        return mp.diff(along, at[position])


ENTRIES = list(entries())


@pytest.mark.parametrize(("entry", "rule", "precision"), ENTRIES, ids=[f"{r.name}-{p}" for _, r, p in ENTRIES])
def test_partials_are_the_derivatives(library: ctypes.CDLL, entry: str, rule: MathRule, precision: str) -> None:
    operands = sample(rule, precision)
    _, *partials = evaluate(library, entry, precision, operands)
    stem = rule.name.removeprefix("__").removesuffix("f")
    bound = BOUNDS.get(stem, DEFAULT_BOUND) * EPSILON[precision]
    for position in range(rule.arity):
        if integer_operand(rule.name, position):
            continue
        for k in range(SAMPLES):
            point = tuple(a[k].item() for a in operands)
            wanted = expected(rule.name, point, position)
            scale = abs(wanted)
            if stem in OSCILLATING:
                scale = max(scale, abs(reference(rule.name)(*map(mpf, point))), mpf(0.5))
            error = abs(mpf(partials[position][k].item()) - wanted)
            assert error <= bound * scale, f"{rule.name}{point} by {position}: {partials[position][k]} not {wanted}"


def test_values_are_those_of_the_reference(library: ctypes.CDLL) -> None:
    """The reference is of the same function: its value is that of the library up to the library's accuracy."""
    for entry, rule, precision in ENTRIES:
        operands = sample(rule, precision)
        value, *_ = evaluate(library, entry, precision, operands)
        for k in range(SAMPLES):
            wanted = reference(rule.name)(*(mpf(a[k].item()) for a in operands))
            error = abs(mpf(value[k].item()) - wanted)
            assert error <= 256 * EPSILON[precision] * max(abs(wanted), mpf(0.1)), (rule.name, [a[k] for a in operands])


# At kinks and singular points the documented convention holds: function, point, its partials.
NAN, INF = float("nan"), float("inf")
CONVENTIONS = [
    ("fabs", (0.0,), (0.0,)),
    ("fabs", (-0.0,), (0.0,)),
    ("abs", (0.0,), (0.0,)),
    ("fmax", (1.0, 1.0), (1.0, 0.0)),
    ("fmin", (1.0, 1.0), (1.0, 0.0)),
    ("max", (0.0, -0.0), (1.0, 0.0)),
    ("min", (-0.0, 0.0), (1.0, 0.0)),
    ("fmax", (NAN, 2.0), (0.0, 1.0)),
    ("fmax", (2.0, NAN), (1.0, 0.0)),
    ("fmin", (NAN, 2.0), (0.0, 1.0)),
    ("fmin", (2.0, NAN), (1.0, 0.0)),
    ("std::max", (1.0, 1.0), (1.0, 0.0)),
    ("std::max", (NAN, 2.0), (1.0, 0.0)),
    ("std::min", (1.0, 1.0), (1.0, 0.0)),
    ("std::min", (2.0, NAN), (1.0, 0.0)),
    ("fdim", (1.0, 1.0), (0.0, 0.0)),
    ("pow", (0.0, 0.0), (0.0, 0.0)),
    ("pow", (0.0, 1.0), (1.0, 0.0)),
    ("pow", (0.0, 2.0), (0.0, 0.0)),
    ("pow", (-2.0, 3.0), (12.0, NAN)),
    ("pow", (0.0, 0.5), (INF, 0.0)),
    ("sqrt", (0.0,), (INF,)),
    ("cbrt", (0.0,), (INF,)),
    ("log", (0.0,), (INF,)),
    ("hypot", (0.0, 0.0), (0.0, 0.0)),
    ("norm3d", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
    ("fmod", (7.5, -2.0), (1.0, 3.0)),
    ("fmod", (-7.5, 2.0), (1.0, 3.0)),
    ("remainder", (7.5, 2.0), (1.0, -4.0)),
    ("copysign", (0.0, -1.0), (0.0, 0.0)),
    ("j1", (0.0,), (0.5,)),
    ("cyl_bessel_i1", (0.0,), (0.5,)),
    ("tanh", (400.0,), (0.0,)),
    ("tanh", (-400.0,), (0.0,)),
    ("asinh", (1e200,), (1e-200,)),
    ("floor", (2.0,), (0.0,)),
]


@pytest.mark.parametrize(("name", "point", "partials"), CONVENTIONS)
def test_conventions_at_kinks(
    library: ctypes.CDLL, name: str, point: tuple[float, ...], partials: tuple[float, ...]
) -> None:
    entry = next(e for e, r, p in ENTRIES if r.name == name and p == "double" and r.arity == len(point))
    _, *found = evaluate(library, entry, "double", [np.array([v]) for v in point])
    np.testing.assert_allclose([f[0] for f in found], partials, rtol=1e-15, atol=0.0)


def test_singular_rules_are_those_with_unbounded_partials(library: ctypes.CDLL) -> None:
    """A rule that is not marked singular gives finite partials at every finite operand that is tried."""
    common = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.0, 800.0, -800.0]
    trials = {"double": [*common, 1e-300, 1e300, -1e300], "float": [*common, 1e-30, 1e30, -1e30]}
    for entry, rule, precision in ENTRIES:
        if rule.singular or any(integer_operand(rule.name, k) for k in range(rule.arity)):
            continue
        grid = np.array(np.meshgrid(*[trials[precision]] * rule.arity)).reshape(rule.arity, -1)
        kind = "double" if rule.name.startswith("__double2float") else precision
        operands = [np.ascontiguousarray(row, DTYPE[kind]) for row in grid]
        _, *partials = evaluate(library, entry, precision, operands)
        for partial in partials:
            bad = ~np.isfinite(partial)
            assert not bad.any(), f"{rule.name} is not marked singular: {[o[bad][0] for o in operands]}"
