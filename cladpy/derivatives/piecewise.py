"""Rules of functions that are linear or constant in pieces, and of sums and products with one rounding.

At a kink the derivative is in the middle of what it is on both sides, always the same: `fabs` has 0 at 0; of `fmin`,
`fmax`, `min` and `max` equal operands get half each, so that it does not matter who asks, and a function that is smooth
although a maximum in it is not, such as `fmax(x, 0) + log1p(exp(-fabs(x)))`, has its derivative. Where an operand is
NaN the other one gets all, since that is what is returned.
"""

from __future__ import annotations

from cladpy.derivatives.forms import function, larger, smaller, with_float_forms
from cladpy.derivatives.rule import Kink, MathRule

_ANY = (-5.0, 5.0)
_SIDE = "x >= T(0) ? T(1) : T(-1)", "x > T(0) ? T(1) : T(-1)"
OF_ABSOLUTE = (Kink(0.0, (_SIDE[0],), (_SIDE[1],)),)

_ROWS: tuple[MathRule, ...] = (
    function("fabs", "cladpy::sign<T>(x)", on=_ANY, kinks=OF_ABSOLUTE),
    larger("fmax", on=_ANY),
    smaller("fmin", on=_ANY),
    function(
        "fdim",
        "cladpy::fdim_dx<T>(x, y)",
        "-cladpy::fdim_dx<T>(x, y)",
        on=_ANY,
        chooses=True,
        kinks=(
            Kink(
                None,
                ("cladpy::share<T>(x >= y)", "-cladpy::share<T>(x >= y)"),
                ("cladpy::share<T>(x > y)", "-cladpy::share<T>(x > y)"),
            ),
        ),
    ),
    function(
        "copysign",
        "cladpy::copysign_dx<T>(x, y)",
        None,
        on=_ANY,
        kinks=(Kink(0.0, *((f"({side}) * ::copysign(T(1), y)", "") for side in _SIDE)),),
    ),
    function("fma", "y", "x", "T(1)", on=_ANY),
    # the multiple of y that was taken off is an integer, found exactly from the result
    function(
        "fmod", "T(1)", "-::rint((x - r) / y)", on=((-9.0, 9.0), (0.5, 3.0)), singular=True, chooses=True, flattens=True
    ),
    function(
        "remainder",
        "T(1)",
        "-::rint((x - r) / y)",
        on=((-9.0, 9.0), (0.5, 3.0)),
        singular=True,
        chooses=True,
        flattens=True,
    ),
    function("nextafter", "T(1)", None, on=_ANY),
    function("ldexp", "::ldexp(T(1), y)", None, on=(_ANY, (-4.0, 4.0)), singular=True),
    function("scalbn", "::scalbn(T(1), y)", None, on=(_ANY, (-4.0, 4.0)), singular=True),
    function("scalbln", "::scalbln(T(1), y)", None, on=(_ANY, (-4.0, 4.0)), singular=True),
    function("fdivide", "T(1) / y", "-r / y", on=(_ANY, (0.5, 3.0)), singular=True, flattens=True),
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
    function("abs", "cladpy::sign<T>(x)", on=_ANY, kinks=OF_ABSOLUTE),
    larger("max", on=_ANY),
    smaller("min", on=_ANY),
    # what `modf` and `frexp` return, as functions without an output argument
    function("cladpy::modf_fraction", "T(1)", on=_ANY),
    function("cladpy::frexp_fraction", "cladpy::frexp_fraction_dx(T(x))", on=_ANY, singular=True),
)

# These return one of their operands by comparing, so that NaN behaves otherwise than in fmin and fmax.
_STANDARD: tuple[MathRule, ...] = (
    larger("std::max", "cladpy::share<T>(!(x < y), x, y)", on=_ANY),
    smaller("std::min", "cladpy::share<T>(!(y < x), x, y)", on=_ANY),
    function("std::hypot", *(f"cladpy::norm_dx<T>({v}, r)" for v in "xyz"), on=(_ANY,) * 3),
    function("std::lerp", "T(1) - z", "z", "T(y) - T(x)", on=_ANY),
)

RULES: tuple[MathRule, ...] = (*with_float_forms(_ROWS), *_OWN, *_STANDARD)
