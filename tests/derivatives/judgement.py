"""Whether the partials that a rule gives are the derivatives which mpmath finds of the function itself, by numeric
differentiation at 40 digits; and those of numbers of sixteen bits, by differences."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
from mpmath import mp, mpf
from numpy.typing import NDArray

from cladpy.derivatives import MathRule
from tests.derivatives.program import integer_operand
from tests.derivatives.reference import reference

SAMPLES = 12
EPSILON = {"float": 2.0**-24, "double": 2.0**-53}
DTYPE = {"float": np.float32, "double": np.float64, "int": np.int32, "long": np.int64}
# Units of half an ulp, relative to the derivative, that a rule may be off: 2e-15 in double, 1e-6 in float.
DEFAULT_BOUND = 16
# 2 x r and 2/sqrt(pi) cancel by a factor of up to 2 x^2 = 200 below x = 10
BOUNDS = {"erfcx": 200}
# Derivatives that cross zero inside the domain: there the error counts relative to the function's size instead.
OSCILLATING = frozenset(["lgamma", "tgamma", "j0", "j1", "jn", "y0", "y1", "yn"])


def sample(rule: MathRule, precision: str) -> list[NDArray[Any]]:
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


def disagreement(
    rule: MathRule, precision: str, operands: list[NDArray[Any]], position: int, partial: NDArray[Any]
) -> str:
    """Where the partial by an operand, at all samples, is not the derivative; empty where it is."""
    stem = rule.name.removeprefix("__").removesuffix("f")
    bound = BOUNDS.get(stem, DEFAULT_BOUND) * EPSILON[precision]
    for k in range(len(operands[0])):
        point = tuple(a[k].item() for a in operands)
        wanted = expected(rule.name, point, position)
        scale = abs(wanted)
        if stem in OSCILLATING:
            scale = max(scale, abs(reference(rule.name)(*map(mpf, point))), mpf(0.5))
        error = abs(mpf(partial[k].item()) - wanted)
        if not error <= bound * scale:
            return f"{rule.name}{point} by {position}: {partial[k]} not {wanted}"
    return ""


# ---- conventions at kinks and singular points ------------------------------------------------------------------------

# Function, point, its partials.
NAN, INF = math.nan, math.inf
CONVENTIONS: list[tuple[str, tuple[float, ...], tuple[float, ...]]] = [
    ("fabs", (0.0,), (0.0,)),
    ("fabs", (-0.0,), (0.0,)),
    ("abs", (0.0,), (0.0,)),
    ("fmax", (1.0, 1.0), (0.5, 0.5)),
    ("fmin", (1.0, 1.0), (0.5, 0.5)),
    ("max", (0.0, -0.0), (0.5, 0.5)),
    ("min", (-0.0, 0.0), (0.5, 0.5)),
    ("fmax", (NAN, 2.0), (0.0, 1.0)),
    ("fmax", (2.0, NAN), (1.0, 0.0)),
    ("fmin", (NAN, 2.0), (0.0, 1.0)),
    ("fmin", (2.0, NAN), (1.0, 0.0)),
    ("std::max", (1.0, 1.0), (0.5, 0.5)),
    ("std::max", (NAN, 2.0), (1.0, 0.0)),
    ("std::min", (1.0, 1.0), (0.5, 0.5)),
    ("std::min", (2.0, NAN), (1.0, 0.0)),
    ("fdim", (1.0, 1.0), (0.5, -0.5)),
    ("pow", (0.0, 0.0), (0.0, 0.0)),
    ("pow", (0.0, 1.0), (1.0, 0.0)),
    ("pow", (0.0, -1.0), (-INF, -INF)),
    ("pow", (0.0, 2.0), (0.0, 0.0)),
    ("pow", (-2.0, 3.0), (12.0, NAN)),
    ("pow", (0.0, 0.5), (INF, 0.0)),
    ("sqrt", (0.0,), (INF,)),
    ("cbrt", (0.0,), (INF,)),
    ("log", (0.0,), (INF,)),
    ("hypot", (0.0, 0.0), (0.0, 0.0)),
    ("norm3d", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
    ("atan2", (0.0, 0.0), (0.0, 0.0)),
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
    ("__saturatef", (0.0,), (0.5,)),
    ("__saturatef", (1.0,), (0.5,)),
]


def conventions(rule: MathRule, precision: str) -> Iterator[tuple[tuple[float, ...], tuple[float, ...]]]:
    """The points of a rule, in either precision, at which a convention says what its partials are."""
    for name, point, partials in CONVENTIONS:
        small = all(v == 0 or (not abs(v) < 1e-30 and not abs(v) > 1e30) or math.isinf(v) for v in (*point, *partials))
        if rule.name in (name, f"{name}f") and len(point) == rule.arity and (small or precision == "double"):
            yield point, partials


# ---- numbers of sixteen bits -----------------------------------------------------------------------------------------


def _cut(value: float) -> float:
    return min(max(value, 0.0), 1.0)


_HALVES: dict[str, Callable[..., float]] = {
    "__hadd": lambda x, y: x + y,
    "__hsub": lambda x, y: x - y,
    "__hmul": lambda x, y: x * y,
    "__hadd_rn": lambda x, y: x + y,
    "__hsub_rn": lambda x, y: x - y,
    "__hmul_rn": lambda x, y: x * y,
    "__hdiv": lambda x, y: x / y,
    "__hfma": lambda x, y, z: x * y + z,
    "__hadd_sat": lambda x, y: _cut(x + y),
    "__hsub_sat": lambda x, y: _cut(x - y),
    "__hmul_sat": lambda x, y: _cut(x * y),
    "__hfma_sat": lambda x, y, z: _cut(x * y + z),
    "__hfma_relu": lambda x, y, z: max(x * y + z, 0.0),
    "__hneg": lambda x: -x,
    "__habs": abs,
    "__hmax": max,
    "__hmin": min,
    "__hmax_nan": max,
    "__hmin_nan": min,
    "hsqrt": math.sqrt,
    "hrsqrt": lambda x: x**-0.5,
    "hrcp": lambda x: 1 / x,
    "hexp": math.exp,
    "hexp2": lambda x: 2.0**x,
    "hexp10": lambda x: 10.0**x,
    "hlog": math.log,
    "hlog2": math.log2,
    "hlog10": math.log10,
    "hsin": math.sin,
    "hcos": math.cos,
    "htanh": math.tanh,
    "htanh_approx": math.tanh,
    "htrunc": math.trunc,
    "hceil": math.ceil,
    "hfloor": math.floor,
    "hrint": round,
}


def half_reference(name: str) -> Callable[..., float]:
    return _HALVES.get(name, lambda x: x)  # a conversion


def half_disagreement(rule: MathRule, position: int, partial: Callable[..., float]) -> str:
    """As `disagreement`, for a partial that is a function of the operands."""
    function, source = half_reference(rule.name), random.Random(rule.name)
    step = 1e-5
    for _ in range(20):
        point = [source.uniform(*interval) for interval in rule.domain]
        up, down = (function(*point[:position], point[position] + s, *point[position + 1 :]) for s in (step, -step))
        wanted, found = (up - down) / (2 * step), partial(*point)
        if not abs(found - wanted) <= max(2e-5 * abs(wanted), 2e-5):
            return f"{rule.name}{tuple(point)} by {position}: {found} not {wanted}"
    return ""
