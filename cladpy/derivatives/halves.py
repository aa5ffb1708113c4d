"""Rules of CUDA's functions of `__half` and `__nv_bfloat16`; those of pairs are read, and made of these.

Partials are computed in float, from operands that are converted to float: `T` is float here. None is in terms of the
result, which has lost most of its digits.
"""

from __future__ import annotations

from collections.abc import Iterator

from cladpy.derivatives.forms import function, larger, smaller
from cladpy.derivatives.piecewise import OF_ABSOLUTE
from cladpy.derivatives.rule import MathRule

TYPES = ("half", "bfloat16")
ROUNDINGS = ("rn", "rz", "ru", "rd")
INTEGERS = ("short", "ushort", "int", "uint", "ll", "ull")

_ANY = (-5.0, 5.0)
_POSITIVE = (0.05, 20.0)
_SMALL = (-1.0, 1.5)  # so that sums and products are often between 0 and 1
_CUT_SUM = "cladpy::saturate_dx<T>(x + y)"
_CUT_DIFFERENCE = "cladpy::saturate_dx<T>(x - y)"
_CUT_PRODUCT = "cladpy::saturate_dx<T>(x * y)"
_CUT_FUSED = "cladpy::saturate_dx<T>(x * y + z)"
_POSITIVE_FUSED = "cladpy::fmax_dx<T>(x * y + z, T(0))"

_ARITHMETIC: tuple[MathRule, ...] = (
    function("__hadd", "T(1)", "T(1)", on=_ANY),
    function("__hsub", "T(1)", "T(-1)", on=_ANY),
    function("__hmul", "y", "x", on=_ANY),
    function("__hadd_rn", "T(1)", "T(1)", on=_ANY),
    function("__hsub_rn", "T(1)", "T(-1)", on=_ANY),
    function("__hmul_rn", "y", "x", on=_ANY),
    function("__hdiv", "T(1) / y", "-x / (y * y)", on=(_ANY, (0.5, 3.0)), singular=True, flattens=True),
    function("__hfma", "y", "x", "T(1)", on=_ANY),
    function("__hadd_sat", _CUT_SUM, _CUT_SUM, on=_SMALL, chooses=True),
    function("__hsub_sat", _CUT_DIFFERENCE, f"-{_CUT_DIFFERENCE}", on=_SMALL, chooses=True),
    function("__hmul_sat", f"{_CUT_PRODUCT} * y", f"{_CUT_PRODUCT} * x", on=_SMALL, chooses=True),
    function("__hfma_sat", f"{_CUT_FUSED} * y", f"{_CUT_FUSED} * x", _CUT_FUSED, on=_SMALL, chooses=True),
    function(
        "__hfma_relu", f"{_POSITIVE_FUSED} * y", f"{_POSITIVE_FUSED} * x", _POSITIVE_FUSED, on=_SMALL, chooses=True
    ),
    function("__hneg", "T(-1)", on=_ANY),
    function("__habs", "cladpy::sign<T>(x)", on=_ANY, kinks=OF_ABSOLUTE),
    larger("__hmax", on=_ANY),
    smaller("__hmin", on=_ANY),
    larger("__hmax_nan", on=_ANY),
    smaller("__hmin_nan", on=_ANY),
    function("hsqrt", "T(0.5) / ::sqrt(x)", on=_POSITIVE, singular=True),
    function("hrsqrt", "T(-0.5) / (x * ::sqrt(x))", on=_POSITIVE, singular=True, flattens=True),
    function("hrcp", "T(-1) / (x * x)", on=_POSITIVE, singular=True, flattens=True),
    function("hexp", "::exp(x)", on=_ANY, singular=True, flattens=True),
    function("hexp2", "::exp2(x) * T(0.69314718055994530942)", on=_ANY, singular=True, flattens=True),
    function(
        "hexp10",
        "::exp2(x * T(3.32192809488736234787)) * T(2.30258509299404568402)",
        on=(-3.0, 3.0),
        singular=True,
        flattens=True,
    ),
    function("hlog", "T(1) / x", on=_POSITIVE, singular=True),
    function("hlog2", "T(1.44269504088896340736) / x", on=_POSITIVE, singular=True),
    function("hlog10", "T(0.43429448190325182765) / x", on=_POSITIVE, singular=True),
    function("hsin", "::cos(x)", on=_ANY),
    function("hcos", "-::sin(x)", on=_ANY),
    function("htanh", "cladpy::tanh_dx<T>(x, ::tanh(x))", on=_ANY, flattens=True),
    function("htanh_approx", "cladpy::tanh_dx<T>(x, ::tanh(x))", on=_ANY, flattens=True),
    function("htrunc", None, on=_ANY),
    function("hceil", None, on=_ANY),
    function("hfloor", None, on=_ANY),
    function("hrint", None, on=_ANY),
)


def _conversions() -> Iterator[MathRule]:
    """Rounding is taken for the identity."""
    for half in TYPES:
        for name in (f"double2{half}", f"float2{half}", *(f"float2{half}_{mode}" for mode in ROUNDINGS)):
            yield function(f"__{name}", "T(1)", on=_ANY)
        yield function(f"__{half}2float", "T(1)", on=_ANY)


RULES: tuple[MathRule, ...] = (*_ARITHMETIC, *_conversions())

COMPARISONS: frozenset[str] = frozenset(
    f"__h{name}{u}" for name in ("eq", "ne", "le", "ge", "lt", "gt") for u in ("", "u")
)
TESTS: frozenset[str] = COMPARISONS | {"__hisnan", "__hisinf"}
FROM_INTEGERS: frozenset[str] = frozenset(
    f"__{integer}2{half}_{mode}" for half in TYPES for integer in INTEGERS for mode in ROUNDINGS
)
TO_INTEGERS: frozenset[str] = frozenset(
    f"__{half}2{integer}_{mode}" for half in TYPES for integer in INTEGERS for mode in ROUNDINGS
) | {f"__{half}2{integer}_rz" for half in TYPES for integer in ("char", "uchar")}
