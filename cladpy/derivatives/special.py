"""Rules of the special functions: error functions, the normal distribution, gamma and Bessel functions."""

from __future__ import annotations

from cladpy.derivatives.forms import function, with_float_forms
from cladpy.derivatives.rule import MathRule

_TWO_OVER_SQRT_PI = "1.12837916709551257390"
_HALF_SQRT_PI = "0.88622692545275801365"
_SQRT_TWO_PI = "2.50662827463100050242"
_ONE_OVER_SQRT_TWO_PI = "0.39894228040143267794"

_ROWS: tuple[MathRule, ...] = (
    function("erf", f"T({_TWO_OVER_SQRT_PI}) * ::exp(-x * x)", on=(-3.0, 3.0), flattens=True),
    function("erfc", f"T(-{_TWO_OVER_SQRT_PI}) * ::exp(-x * x)", on=(-3.0, 3.0), flattens=True),
    function("erfcx", "cladpy::erfcx_dx(T(x))", on=(-2.0, 30.0), singular=True, flattens=True),
    function("erfinv", f"T({_HALF_SQRT_PI}) * ::exp(r * r)", on=(-0.95, 0.95), singular=True),
    function("erfcinv", f"T(-{_HALF_SQRT_PI}) * ::exp(r * r)", on=(0.05, 1.95), singular=True),
    function("normcdf", f"T({_ONE_OVER_SQRT_TWO_PI}) * ::exp(T(-0.5) * x * x)", on=(-4.0, 4.0), flattens=True),
    function("normcdfinv", f"T({_SQRT_TWO_PI}) * ::exp(T(0.5) * r * r)", on=(0.03, 0.97), singular=True),
    function("tgamma", "r * cladpy::digamma(T(x))", on=(0.2, 8.0), singular=True),
    function("lgamma", "cladpy::digamma(T(x))", on=(0.2, 20.0), singular=True),
    function("j0", "-::j1(x)", on=(-9.0, 9.0), flattens=True),
    function("j1", "cladpy::j1_dx<T>(x, r)", on=(-9.0, 9.0), flattens=True),
    function("jn", None, "cladpy::jn_dx<T>(x, y)", on=((0.0, 4.0), (0.5, 9.0)), flattens=True),
    function("y0", "-::y1(x)", on=(0.2, 9.0), singular=True, flattens=True),
    function("y1", "::y0(x) - r / x", on=(0.2, 9.0), singular=True, flattens=True),
    function("yn", None, "cladpy::yn_dx<T>(x, y)", on=((0.0, 4.0), (0.5, 9.0)), singular=True, flattens=True),
    function("cyl_bessel_i0", "::cyl_bessel_i1(x)", on=(-5.0, 5.0), singular=True),
    function("cyl_bessel_i1", "(x == T(0) ? T(0.5) : ::cyl_bessel_i0(x) - r / x)", on=(-5.0, 5.0), singular=True),
)

RULES: tuple[MathRule, ...] = tuple(with_float_forms(_ROWS))
