"""The oracle's own derivative formulas against mpmath's differentiation at forty digits."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

import mpmath
import numpy as np
import pytest

from cladpy.check.library import FORMULA_OF
from cladpy.check.oracle import INCLUDE
from cladpy.toolchain import compile_host

mp = mpmath.mp.clone()
mp.dps = 40

Real = Any


def _cut(x: Real) -> Real:
    return min(max(x, mp.mpf(0)), mp.mpf(1))


# formula -> the function at forty digits, and points (tuples of arguments) inside its domain
FUNCTIONS: dict[str, tuple[Callable[..., Real], list[tuple[float, ...]]]] = {
    "sin": (mp.sin, [(0.3,), (-2.5,), (40.0,)]),
    "cos": (mp.cos, [(0.3,), (-2.5,), (40.0,)]),
    "tan": (mp.tan, [(0.3,), (-1.2,), (2.5,)]),
    "asin": (mp.asin, [(0.3,), (-0.95,)]),
    "acos": (mp.acos, [(0.3,), (-0.95,)]),
    "atan": (mp.atan, [(0.3,), (-7.0,)]),
    "sinh": (mp.sinh, [(0.3,), (-3.0,)]),
    "cosh": (mp.cosh, [(0.3,), (-3.0,)]),
    "tanh": (mp.tanh, [(0.3,), (-3.0,), (9.0,)]),
    "asinh": (mp.asinh, [(0.3,), (-5.0,)]),
    "acosh": (mp.acosh, [(1.1,), (6.0,)]),
    "atanh": (mp.atanh, [(0.3,), (-0.95,)]),
    "exp": (mp.exp, [(0.3,), (-5.0,)]),
    "exp2": (lambda x: mp.mpf(2) ** x, [(0.3,), (-5.0,)]),
    "exp10": (lambda x: mp.mpf(10) ** x, [(0.3,), (-5.0,)]),
    "expm1": (mp.expm1, [(1e-6,), (2.0,)]),
    "log": (mp.log, [(0.3,), (100.0,)]),
    "log2": (lambda x: mp.log(x, 2), [(0.3,), (100.0,)]),
    "log10": (mp.log10, [(0.3,), (100.0,)]),
    "log1p": (lambda x: mp.log(1 + x), [(1e-6,), (-0.5,), (3.0,)]),
    "sqrt": (mp.sqrt, [(0.3,), (100.0,)]),
    "rsqrt": (lambda x: 1 / mp.sqrt(x), [(0.3,), (100.0,)]),
    "cbrt": (lambda x: mp.sign(x) * mp.cbrt(abs(x)), [(0.3,), (-8.5,)]),
    "rcbrt": (lambda x: mp.sign(x) / mp.cbrt(abs(x)), [(0.3,), (-8.5,)]),
    "reciprocal": (lambda x: 1 / x, [(0.3,), (-8.5,)]),
    "fabs": (abs, [(0.3,), (-8.5,)]),
    "round": (mp.floor, [(0.3,), (-8.5,)]),
    "logb": (lambda x: mp.floor(mp.log(x, 2)), [(0.3,), (9.0,)]),
    "identity": (lambda x: x, [(0.3,)]),
    "saturate": (lambda x: min(max(x, 0), 1), [(0.3,), (-0.5,), (1.5,)]),
    "sinpi": (mp.sinpi, [(0.3,), (-2.4,)]),
    "cospi": (mp.cospi, [(0.3,), (-2.4,)]),
    "tanpi": (lambda x: mp.tan(mp.pi * x), [(0.3,), (-2.4,)]),
    "erf": (mp.erf, [(0.3,), (-2.0,)]),
    "erfc": (mp.erfc, [(0.3,), (4.0,)]),
    "erfcx": (lambda x: mp.exp(x * x) * mp.erfc(x), [(0.3,), (-1.0,), (6.0,), (15.0,)]),
    "erfinv": (mp.erfinv, [(0.3,), (-0.9,)]),
    "erfcinv": (lambda x: mp.erfinv(1 - x), [(0.3,), (1.7,)]),
    "normcdf": (mp.ncdf, [(0.3,), (-2.0,)]),
    "normcdfinv": (lambda x: mp.sqrt(2) * mp.erfinv(2 * x - 1), [(0.3,), (0.9,)]),
    "tgamma": (mp.gamma, [(0.3,), (4.5,), (-1.4,)]),
    "lgamma": (lambda x: mp.log(abs(mp.gamma(x))), [(0.3,), (4.5,), (-1.4,), (60.0,)]),
    "j0": (mp.j0, [(0.3,), (5.0,)]),
    "j1": (mp.j1, [(0.3,), (5.0,)]),
    "y0": (lambda x: mp.bessely(0, x), [(0.3,), (5.0,)]),
    "y1": (lambda x: mp.bessely(1, x), [(0.3,), (5.0,)]),
    "cyl_bessel_i0": (lambda x: mp.besseli(0, x), [(0.3,), (-5.0,)]),
    "cyl_bessel_i1": (lambda x: mp.besseli(1, x), [(0.3,), (-5.0,)]),
    "plus": (lambda a, b: a + b, [(0.3, 2.0)]),
    "minus": (lambda a, b: a - b, [(0.3, 2.0)]),
    "product": (lambda a, b: a * b, [(0.3, 2.0)]),
    "opposite": (lambda x: -x, [(0.3,)]),
    "plus_cut": (lambda a, b: _cut(a + b), [(0.3, 0.2), (0.3, 2.0), (-1.0, 0.5)]),
    "minus_cut": (lambda a, b: _cut(a - b), [(0.3, 0.2), (3.0, 0.2), (-1.0, 0.5)]),
    "product_cut": (lambda a, b: _cut(a * b), [(0.3, 2.0), (3.0, 2.0), (-1.0, 0.5)]),
    "fma_cut": (lambda a, b, c: _cut(a * b + c), [(0.3, 2.0, -0.1), (0.3, 2.0, 1.0), (0.3, 2.0, -1.0)]),
    "fma_positive": (lambda a, b, c: max(a * b + c, mp.mpf(0)), [(0.3, 2.0, -0.1), (0.3, 2.0, -1.0)]),
    "quotient": (lambda a, b: a / b, [(0.3, -2.0)]),
    "atan2": (mp.atan2, [(0.3, 2.0), (-1.0, -0.4)]),
    "hypot": (mp.hypot, [(0.3, 2.0), (-1.0, 0.4)]),
    "rhypot": (lambda a, b: 1 / mp.hypot(a, b), [(0.3, 2.0)]),
    "fmod": (lambda a, b: a - b * mp.floor(a / b), [(7.3, 2.0)]),
    "remainder": (lambda a, b: a - b * mp.nint(a / b), [(7.3, 2.0), (6.9, 2.0)]),
    "fdim": (lambda a, b: max(a - b, mp.mpf(0)), [(2.0, 0.3), (0.3, 2.0)]),
    "fmax": (max, [(2.0, 0.3), (0.3, 2.0)]),
    "fmin": (min, [(2.0, 0.3), (0.3, 2.0)]),
    "copysign": (lambda a, b: abs(a) * mp.sign(b), [(2.0, -0.3), (-2.0, -0.3), (2.0, 1.0)]),
    "scale": (lambda a, b: a * mp.mpf(2) ** int(mp.nint(b)), [(0.3, 3.0)]),
    "nextafter": (lambda a, b: a, [(0.3, 3.0)]),
    "pow": (lambda a, b: a**b, [(0.3, 2.5), (2.0, -1.5)]),
    "jn": (lambda n, x: mp.besselj(int(mp.nint(n)), x), [(2.0, 0.7), (3.0, 6.0)]),
    "yn": (lambda n, x: mp.bessely(int(mp.nint(n)), x), [(2.0, 0.7), (3.0, 6.0)]),
    "fma": (lambda a, b, c: a * b + c, [(0.3, 2.0, -1.0)]),
    "norm": (lambda *a: mp.sqrt(sum(x * x for x in a)), [(0.3, 2.0, -1.0), (0.3, 2.0, -1.0, 0.7)]),
    "rnorm": (lambda *a: 1 / mp.sqrt(sum(x * x for x in a)), [(0.3, 2.0, -1.0), (0.3, 2.0, -1.0, 0.7)]),
}


@cache
def library() -> ctypes.CDLL:
    """All formulas behind one C function each: `value`, the arguments, their tangents; the tangent is stored."""
    lines = ['#include "cladpy_oracle/oracle.h"', "using namespace cladpy_oracle;"]
    for name, (_, points) in FUNCTIONS.items():
        for count in {len(p) for p in points}:
            duals = ", ".join(f"dual<double>{{x[{i}], t[{i}], 0}}" for i in range(count))
            lines.append(
                f'extern "C" void check_{name}_{count}(double value, const double *x, const long double *t,'
                f" long double *out) {{ *out = formula::{name}(value, {duals}).t; }}"
            )
    path = compile_host("\n".join(lines), include_directories=(INCLUDE,), dependencies=sorted(INCLUDE.rglob("*.h")))
    return ctypes.CDLL(str(path))


def partial(name: str, point: tuple[float, ...], position: int, value: float) -> np.longdouble:
    x = np.array(point)
    t = np.zeros(len(point), np.longdouble)
    t[position] = 1
    out = np.zeros(1, np.longdouble)
    function = library()[f"check_{name}_{len(point)}"]
    function(ctypes.c_double(value), *(ctypes.c_void_p(a.ctypes.data) for a in (x, t, out)))
    return np.longdouble(out[0])


@pytest.mark.parametrize("name", FUNCTIONS)
def test_partial_derivatives(name: str) -> None:
    function, points = FUNCTIONS[name]
    for point in points:
        exact = [mp.mpf(x) for x in point]
        value = float(function(*exact))
        for position in range(len(point)):
            order = tuple(int(i == position) for i in range(len(point)))
            expected = mp.diff(function, exact if len(exact) > 1 else exact[0], order if len(exact) > 1 else 1)
            found = mp.mpf(np.format_float_scientific(partial(name, point, position, value), unique=True))
            assert abs(found - expected) <= mp.mpf("4e-16") * max(abs(expected), mp.mpf("1e-3")), (point, position)


def test_every_formula_is_tested() -> None:
    assert set(FORMULA_OF.values()) <= set(FUNCTIONS)


@pytest.mark.parametrize(
    ("name", "point", "expected"),
    [
        ("fabs", (0.0,), (1.0,)),
        ("fmax", (2.0, 2.0), (1.0, 1.0)),
        ("fmin", (2.0, 2.0), (0.0, 0.0)),
        ("fdim", (2.0, 2.0), (1.0, 0.0)),
        ("saturate", (0.0,), (1.0,)),
        ("saturate", (1.0,), (0.0,)),
    ],
)
def test_kinks_have_the_derivative_of_the_side_that_the_direction_leads_to(
    name: str, point: tuple[float, ...], expected: tuple[float, ...]
) -> None:
    found = tuple(float(partial(name, point, i, abs(point[0]))) for i in range(len(point)))
    assert found == expected


def test_zero_tangent_contributes_zero() -> None:
    x, t, out = np.zeros(1), np.zeros(1, np.longdouble), np.ones(1, np.longdouble)
    library()["check_sqrt_1"](ctypes.c_double(0.0), *(ctypes.c_void_p(a.ctypes.data) for a in (x, t, out)))
    assert out[0] == 0
