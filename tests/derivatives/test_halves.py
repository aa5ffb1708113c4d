"""CUDA's functions of numbers of sixteen bits: all are known, with the right derivatives, and exact on the host."""

from __future__ import annotations

import ctypes
import math
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cladpy.derivatives import MathRule, is_bit_cast, is_inactive, lookup, substitute
from cladpy.derivatives.halves import RULES
from cladpy.frontend.native import native_folder
from cladpy.frontend.toolkit import routes
from cladpy.frontend.unit import TranslationUnit
from cladpy.ir.halves import nearest
from cladpy.ir.types import ScalarKind
from cladpy.runtime.scalars import bfloat16_bits, bfloat16_values
from cladpy.toolchain import compile_host
from tests.derivatives.half_declarations import declarations, include_folder
from tests.derivatives.judgement import half_disagreement
from tests.derivatives.test_cuda_math_api import ERROR, Declaration

FILE = Path(__file__).with_name("cuda_half_api.txt")
API = [Declaration.of(line) for line in FILE.read_text().splitlines()]
INCLUDES = "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n"
CLASSES = ("__half2", "__nv_bfloat162", "float2")
NUMBERS = ("__half", "__nv_bfloat16", "float", "double")
pytestmark = pytest.mark.xdist_group("halves")  # compiled once

# ---- the tables ------------------------------------------------------------------------------------------------------


def marks(declaration: Declaration) -> list[str]:
    name = declaration.name
    if any(type in CLASSES for type in (declaration.result, *declaration.parameters)):
        return ["body"]
    found = []
    if is_bit_cast(name):
        found.append("bits")
    elif is_inactive(name, integer_result=declaration.result not in NUMBERS):
        found.append("inactive")
    elif lookup(name, len(declaration.parameters)) is not None:
        found.append("rule")
    return found


def test_every_function_has_a_rule_a_mark_or_a_body() -> None:
    assert [d.text for d in API if len(marks(d)) != 1] == []


def test_what_has_no_derivative_takes_or_gives_integers_or_is_a_step() -> None:
    steps = {d.name for d in API if marks(d) == ["inactive"] and {d.result, d.parameters[0]} <= set(NUMBERS)}
    assert steps == {"htrunc", "hceil", "hfloor", "hrint"}


def test_the_list_is_that_of_the_headers() -> None:
    folder = include_folder()
    if folder is None:
        assert len(API) > 350
        return
    assert {d.text for d in API} - set(declarations(folder)) == set()  # a newer CUDA may have more


def addresses(space: str) -> str:
    lines = [INCLUDES, f"{space} void *use() {{", "  void *address = nullptr;"]
    lines += [f"  address = reinterpret_cast<void *>({d.address()});" for d in API]
    return "\n".join([*lines, "  return address;", "}"])


def test_the_host_has_every_function() -> None:
    compile_host(addresses("inline"), optimize="-O0", extra_flags=["-Wall", "-Wextra"])


def test_the_front_end_declares_every_function() -> None:
    headers = routes("declarations")[0]
    resource = f"-resource-dir={native_folder() / 'resource'}"
    arguments = ["-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib", "--cuda-gpu-arch=sm_90", "-std=c++17"]
    arguments += [resource, "-ferror-limit=0"]
    text = addresses("__device__").encode()
    with TranslationUnit("api.cu", [*arguments, *headers.arguments], {"api.cu": text}) as unit:
        assert [m.text for m in unit.messages() if m.severity >= ERROR] == []


# ---- derivatives -----------------------------------------------------------------------------------------------------


@cache
def partials() -> Any:
    """A function per rule and operand: the partial at a point, computed in float."""
    lines = ["#include <cladpy/math.h>"]
    for rule in RULES:
        for k, partial in enumerate(rule.partials):
            text = substitute(partial or "T(0)", {"T": "float"})
            lines.append(f'extern "C" float {rule.name}_{k}(float x, float y, float z) {{')
            lines.append(f"  (void)x, (void)y, (void)z;\n  return {text};\n}}")
    return ctypes.CDLL(str(compile_host("\n".join(lines), optimize="-O0")))


@pytest.mark.parametrize("rule", RULES, ids=lambda r: r.name)
def test_partials_are_the_derivatives(rule: MathRule) -> None:
    for k in range(rule.arity):
        entry = getattr(partials(), f"{rule.name}_{k}")
        entry.restype = ctypes.c_float
        wrong = half_disagreement(
            rule, k, lambda *point, entry=entry: entry(*(ctypes.c_float(v) for v in [*point, 0.0, 0.0][:3]))
        )
        assert not wrong, wrong


# ---- values ----------------------------------------------------------------------------------------------------------

_ENTRY = """
extern "C" void two_{n}(const {T} *x, const {T} *y, long n, {T} *sum, {T} *difference, {T} *product, {T} *quotient) {{
  for (long i = 0; i < n; ++i) {{
    sum[i] = x[i] + y[i];
    difference[i] = x[i] - y[i];
    product[i] = x[i] * y[i];
    quotient[i] = x[i] / y[i];
  }}
}}
extern "C" void three_{n}(const {T} *x, const {T} *y, const {T} *z, long n, {T} *out) {{
  for (long i = 0; i < n; ++i) out[i] = __hfma(x[i], y[i], z[i]);
}}
extern "C" void from_{n}(const double *x, const float *s, const long long *i, long n, {T} *d, {T} *f, {T} *l) {{
  for (long k = 0; k < n; ++k) {{
    d[k] = x[k];
    f[k] = s[k];
    l[k] = i[k];
  }}
}}
extern "C" void modes_{n}(const float *x, long n, {T} *down, {T} *up, {T} *zero) {{
  for (long k = 0; k < n; ++k) {{
    down[k] = __float2{n}_rd(x[k]);
    up[k] = __float2{n}_ru(x[k]);
    zero[k] = __float2{n}_rz(x[k]);
  }}
}}
"""


@cache
def values() -> ctypes.CDLL:
    text = INCLUDES + _ENTRY.format(n="half", T="__half") + _ENTRY.format(n="bfloat16", T="__nv_bfloat16")
    return ctypes.CDLL(str(compile_host(text, optimize="-O1")))


def call(name: str, inputs: list[np.ndarray], outputs: int) -> list[np.ndarray]:
    count = len(inputs[0])
    results = [np.zeros(count, np.uint16) for _ in range(outputs)]
    pointers = [ctypes.c_void_p(a.ctypes.data) for a in inputs]
    getattr(values(), name)(*pointers, ctypes.c_long(count), *(ctypes.c_void_p(a.ctypes.data) for a in results))
    return results


def wide(bits: np.ndarray, format: str) -> np.ndarray:
    with np.errstate(all="ignore"):
        return _wide(bits, format)


def _wide(bits: np.ndarray, format: str) -> np.ndarray:
    return bits.view(np.float16).astype(np.float64) if format == "half" else bfloat16_values(bits).astype(np.float64)


def narrow(numbers: np.ndarray, format: str) -> np.ndarray:
    """Numbers that float holds to twice the digits, rounded."""
    with np.errstate(all="ignore"):
        return numbers.astype(np.float16).view(np.uint16) if format == "half" else bfloat16_bits(numbers)


def assert_same(found: np.ndarray, wanted: np.ndarray, format: str) -> None:
    both = np.isnan(wide(found, format)) & np.isnan(wide(wanted, format))
    assert np.array_equal(found[~both], wanted[~both])


@pytest.mark.parametrize("format", ["half", "bfloat16"])
def test_arithmetic_is_rounded_once(format: str) -> None:
    """Of any two numbers: of floats with more than twice the digits, rounding twice is rounding once."""
    bits = np.random.default_rng(3).integers(0, 1 << 16, (2, 200_000)).astype(np.uint16)
    with np.errstate(all="ignore"):
        x, y = (wide(b, format).astype(np.float32) for b in bits)
        wanted = [narrow(v, format) for v in (x + y, x - y, x * y, x / y)]
    for found, expected in zip(call(f"two_{format}", list(bits), 4), wanted, strict=True):
        assert_same(found, expected, format)


@pytest.mark.parametrize(("format", "kind"), [("half", ScalarKind.HALF), ("bfloat16", ScalarKind.BFLOAT16)])
def test_a_fused_multiply_add_is_rounded_once(format: str, kind: ScalarKind) -> None:
    """Against exact fractions, where rounding a double's sum would go wrong: near ties."""
    rng = np.random.default_rng(4)
    digits = 10 if format == "half" else 7
    x, y = (narrow(rng.integers(1 << digits, 2 << digits, 4000) * 2.0**-digits, format) for _ in range(2))
    z = narrow(rng.choice((-1.0, 1.0), 4000) * 2.0 ** -rng.integers(0, 14, 4000).astype(float), format)
    (found,) = call(f"three_{format}", [x, y, z], 1)
    for a, b, c, got in zip(*(wide(v, format) for v in (x, y, z, found)), strict=True):
        assert got == _rounded(Fraction(a) * Fraction(b) + Fraction(c), digits)


def _rounded(exact: Fraction, digits: int) -> float:
    """To a number of digits after the first, ties to even; of numbers that are neither tiny nor large."""
    if exact == 0:
        return 0.0
    exponent = math.floor(math.log2(abs(exact)))
    exponent += (abs(exact) >= Fraction(2) ** (exponent + 1)) - (abs(exact) < Fraction(2) ** exponent)
    unit = Fraction(2) ** (exponent - digits)
    return float(round(exact / unit) * unit)


@pytest.mark.parametrize(("format", "kind"), [("half", ScalarKind.HALF), ("bfloat16", ScalarKind.BFLOAT16)])
def test_conversions_are_rounded_once(format: str, kind: ScalarKind) -> None:
    rng = np.random.default_rng(5)
    exponents = rng.integers(-30, 18, 20_000)
    doubles = rng.standard_normal(20_000) * 2.0**exponents
    # doubles next to a tie of two halves, which float would round to the tie
    ties = narrow(rng.uniform(0.1, 2.0, 20_000), format)
    middle = (wide(ties, format) + wide(ties + np.uint16(1), format)) / 2
    doubles[::2] = np.nextafter(middle, rng.choice((-9.0, 9.0), 20_000))[::2]
    floats = doubles.astype(np.float32)
    integers = rng.integers(-(1 << 62), 1 << 62, 20_000) >> rng.integers(0, 62, 20_000)
    found = call(f"from_{format}", [doubles, floats, integers], 3)
    for inputs, got in zip((doubles, floats, integers), found, strict=True):
        for value, result in zip(inputs.tolist(), wide(got, format).tolist(), strict=True):
            exact = float(value) if isinstance(value, float) or abs(value) < 1 << 53 else None
            if exact is not None:
                wanted = nearest(exact, kind)
                assert result == (math.copysign(math.inf, value) if wanted is None else wanted), value


@pytest.mark.parametrize("format", ["half", "bfloat16"])
def test_rounding_modes(format: str) -> None:
    rng = np.random.default_rng(6)
    x = (rng.standard_normal(20_000) * 2.0 ** rng.integers(-28, 15, 20_000)).astype(np.float32)
    down, up, zero = (wide(b, format) for b in call(f"modes_{format}", [x], 3))
    exact = wide(narrow(x, format), format) == x
    assert np.all(down <= x) and np.all(up >= x)
    assert np.array_equal(zero, np.where(x > 0, down, up))
    assert np.array_equal(down[exact], up[exact])
    neighbours = wide(narrow(down, format) + np.where(down >= 0, 1, -1).astype(np.uint16), format)
    between = ~exact & (down != 0)
    assert np.array_equal(up[between], neighbours[between])
