"""The functions of thrust::complex that the host backend runs, and the front end reads, against mpmath."""

from __future__ import annotations

import ctypes

import mpmath
import pytest

from cladpy.toolchain import compile_host

FUNCTIONS = (
    *("exp", "log", "log10", "sqrt", "sin", "cos", "tan", "sinh", "cosh", "tanh"),
    *("asin", "acos", "atan", "asinh", "acosh", "atanh", "conj"),
)
BINARY = {"z * w": lambda z, w: z * w, "z / w": lambda z, w: z / w, "pow(z, w)": lambda z, w: z**w}
# in all quadrants, on both sides of the circle, large and small
POINTS = (0.3 + 0.4j, -0.7 + 1.9j, 2.5 - 0.6j, -3.0 - 2.0j, 1e-3 + 2e-3j, 25.0 + 1.0j, -30.0 + 0.5j, 0.9 - 1e-6j)


@pytest.fixture(scope="module")
def library() -> ctypes.CDLL:
    number = "thrust::complex<double>"
    lines = ["#include <thrust/complex.h>", "using namespace thrust;", f"using Number = {number};"]
    for k, text in enumerate(
        [*(f"{name}(z)" for name in FUNCTIONS), *BINARY, "Number(abs(z), arg(z))", "polar(1.5, z.real())"]
    ):
        given = "const double *at, double *to"
        body = (
            f"const Number z(at[0], at[1]), w(at[2], at[3]), r = {text}; (void)w; to[0] = r.real(); to[1] = r.imag();"
        )
        lines.append(f'extern "C" void at_{k}({given}) {{ {body} }}')
    return ctypes.CDLL(str(compile_host("\n".join(lines))))


def _value(library: ctypes.CDLL, k: int, z: complex, w: complex = 0.5 - 1.25j) -> complex:
    given, found = (ctypes.c_double * 4)(z.real, z.imag, w.real, w.imag), (ctypes.c_double * 2)()
    getattr(library, f"at_{k}")(given, found)
    return complex(found[0], found[1])


@pytest.mark.parametrize("z", POINTS)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(library: ctypes.CDLL, name: str, z: complex) -> None:
    exact = complex(getattr(mpmath, name)(mpmath.mpc(z)))
    found = _value(library, FUNCTIONS.index(name), z)
    assert abs(found - exact) <= 1e-14 * abs(exact), (found, exact)


@pytest.mark.parametrize("z", POINTS)
@pytest.mark.parametrize("text", BINARY)
def test_operations(library: ctypes.CDLL, text: str, z: complex) -> None:
    exact = complex(BINARY[text](mpmath.mpc(z), mpmath.mpc(0.5 - 1.25j)))
    assert abs(_value(library, len(FUNCTIONS) + list(BINARY).index(text), z) - exact) <= 1e-14 * abs(exact)


@pytest.mark.parametrize("z", POINTS)
def test_parts(library: ctypes.CDLL, z: complex) -> None:
    first = len(FUNCTIONS) + len(BINARY)
    assert _value(library, first, z) == pytest.approx(complex(abs(z), float(mpmath.arg(z))), rel=1e-15)
    assert _value(library, first + 1, z) == pytest.approx(complex(1.5 * mpmath.expj(z.real)), rel=1e-15)
