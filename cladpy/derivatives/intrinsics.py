"""Rules of CUDA's `__` functions of scalars: the fast float forms and the arithmetic with a named rounding mode.

Most have float operands only. A fast function has a fast partial: who writes `__sinf` asks for `__cosf`.
"""

from __future__ import annotations

from collections.abc import Iterator

from cladpy.derivatives.forms import function
from cladpy.derivatives.rule import Kink, MathRule

_ANY = (-5.0, 5.0)
_DIVISION = (_ANY, (0.5, 3.0))
_ROUNDINGS = ("rn", "rz", "ru", "rd")

_FAST: tuple[MathRule, ...] = (
    function("__sinf", "::__cosf(x)", on=(-3.0, 3.0)),
    function("__cosf", "-::__sinf(x)", on=(-3.0, 3.0)),
    function("__tanf", "T(1) + r * r", on=(-1.4, 1.4)),
    function("__tanhf", "cladpy::tanh_dx<T>(x, r)", on=(-5.0, 5.0), flattens=True),
    function("__expf", "r", on=(-8.0, 8.0), singular=True, flattens=True),
    function("__exp10f", "r * T(2.30258509299404568402)", on=(-4.0, 4.0), singular=True, flattens=True),
    function("__logf", "T(1) / x", on=(0.05, 20.0), singular=True),
    function("__log2f", "T(1.44269504088896340736) / x", on=(0.05, 20.0), singular=True),
    function("__log10f", "T(0.43429448190325182765) / x", on=(0.05, 20.0), singular=True),
    function(
        "__powf",
        "(y == T(0) ? T(0) : y * ::__powf(x, y - T(1)))",
        "(r == T(0) ? T(0) : r * ::__logf(x))",
        on=((0.05, 5.0), (-4.0, 4.0)),
        singular=True,
        flattens=True,
    ),
    function("__fdividef", "::__fdividef(T(1), y)", "-::__fdividef(r, y)", on=_DIVISION, singular=True, flattens=True),
    # clamps to [0, 1]
    function(
        "__saturatef",
        "cladpy::saturate_dx<T>(x)",
        on=(-0.5, 1.5),
        chooses=True,
        kinks=(
            Kink(
                0.0,
                ("cladpy::share<T>(x >= T(0))",),
                ("cladpy::share<T>(x > T(0))",),
                ("cladpy::share<T>(x > T(0), x, T(0))",),
            ),
            Kink(
                1.0,
                ("cladpy::share<T>(x < T(1))",),
                ("cladpy::share<T>(x <= T(1))",),
                ("cladpy::share<T>(x < T(1), x, T(1))",),
            ),
        ),
    ),
    function("__frsqrt_rn", "T(-0.5) * r * r * r", on=(0.01, 20.0), singular=True, flattens=True),
    function("__fmaf_ieee_rn", "y", "x", "T(1)", on=_ANY),
    function("__fmaf_ieee_rz", "y", "x", "T(1)", on=_ANY),
    function("__fmaf_ieee_ru", "y", "x", "T(1)", on=_ANY),
    function("__fmaf_ieee_rd", "y", "x", "T(1)", on=_ANY),
)


def _rounded() -> Iterator[MathRule]:
    """Arithmetic in each rounding mode: derivatives are those of the exact operation."""
    for mode in _ROUNDINGS:
        for precision in "fd":
            yield function(f"__{precision}add_{mode}", "T(1)", "T(1)", on=_ANY)
            yield function(f"__{precision}sub_{mode}", "T(1)", "T(-1)", on=_ANY)
            yield function(f"__{precision}mul_{mode}", "y", "x", on=_ANY)
            yield function(f"__{precision}div_{mode}", "T(1) / y", "-r / y", on=_DIVISION, singular=True, flattens=True)
            yield function(f"__{precision}rcp_{mode}", "-r * r", on=(0.2, 5.0), singular=True, flattens=True)
            yield function(f"__{precision}sqrt_{mode}", "T(0.5) / r", on=(0.01, 20.0), singular=True)
        yield function(f"__fmaf_{mode}", "y", "x", "T(1)", on=_ANY)
        yield function(f"__fma_{mode}", "y", "x", "T(1)", on=_ANY)
        yield function(f"__double2float_{mode}", "T(1)", on=_ANY)


RULES: tuple[MathRule, ...] = (*_FAST, *_rounded())
