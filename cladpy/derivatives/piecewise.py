"""Rules of functions that are linear or constant in pieces, and of sums and products with one rounding.

At a kink one side is chosen, always the same: `fabs` has derivative 0 at 0; of `fmin`, `fmax`, `min` and `max` the
first operand gets all where both are equal, and the other one where an operand is NaN, since that is what is returned.
"""

from __future__ import annotations

from cladpy.derivatives.forms import function, with_float_forms
from cladpy.derivatives.rule import MathRule

_ANY = (-5.0, 5.0)
_FMAX = ("cladpy::fmax_dx<T>(x, y)", "T(1) - cladpy::fmax_dx<T>(x, y)")
_FMIN = ("cladpy::fmin_dx<T>(x, y)", "T(1) - cladpy::fmin_dx<T>(x, y)")

_ROWS: tuple[MathRule, ...] = (
    function("fabs", "cladpy::sign<T>(x)", on=_ANY),
    function("fmax", *_FMAX, on=_ANY),
    function("fmin", *_FMIN, on=_ANY),
    function("fdim", "(x > y ? T(1) : T(0))", "(x > y ? T(-1) : T(0))", on=_ANY),
    function("copysign", "cladpy::copysign_dx<T>(x, y)", None, on=_ANY),
    function("fma", "y", "x", "T(1)", on=_ANY),
    # the multiple of y that was taken off is an integer, found exactly from the result
    function("fmod", "T(1)", "-::rint((x - r) / y)", on=((-9.0, 9.0), (0.5, 3.0)), singular=True),
    function("remainder", "T(1)", "-::rint((x - r) / y)", on=((-9.0, 9.0), (0.5, 3.0)), singular=True),
    function("nextafter", "T(1)", None, on=_ANY),
    function("ldexp", "::ldexp(T(1), y)", None, on=(_ANY, (-4.0, 4.0)), singular=True),
    function("scalbn", "::scalbn(T(1), y)", None, on=(_ANY, (-4.0, 4.0)), singular=True),
    function("scalbln", "::scalbln(T(1), y)", None, on=(_ANY, (-4.0, 4.0)), singular=True),
    function("fdivide", "T(1) / y", "-r / y", on=(_ANY, (0.5, 3.0)), singular=True),
    function("floor", None, on=_ANY),
    function("ceil", None, on=_ANY),
    function("trunc", None, on=_ANY),
    function("round", None, on=_ANY),
    function("rint", None, on=_ANY),
    function("nearbyint", None, on=_ANY),
    function("logb", None, on=(0.3, 9.0)),
)

_OWN: tuple[MathRule, ...] = (
    # overloads for float and double; their integer overloads have no derivative
    function("abs", "cladpy::sign<T>(x)", on=_ANY),
    function("max", *_FMAX, on=_ANY),
    function("min", *_FMIN, on=_ANY),
    # what `modf` and `frexp` return, as functions without an output argument
    function("cladpy::modf_fraction", "T(1)", on=_ANY),
    function("cladpy::frexp_fraction", "cladpy::frexp_fraction_dx(T(x))", on=_ANY, singular=True),
)

# These return one of their operands by comparing, so that NaN behaves otherwise than in fmin and fmax.
_STANDARD: tuple[MathRule, ...] = (
    function("std::max", "(x < y ? T(0) : T(1))", "(x < y ? T(1) : T(0))", on=_ANY),
    function("std::min", "(y < x ? T(0) : T(1))", "(y < x ? T(1) : T(0))", on=_ANY),
    function("std::hypot", *(f"cladpy::norm_dx<T>({v}, r)" for v in "xyz"), on=(_ANY,) * 3),
    function("std::lerp", "T(1) - z", "z", "T(y) - T(x)", on=_ANY),
)

RULES: tuple[MathRule, ...] = (*with_float_forms(_ROWS), *_OWN, *_STANDARD)
