"""Rules of the elementary functions: trigonometry, hyperbolics, exponentials, logarithms, powers and roots.

Partials are chosen for accuracy over the whole range before speed: `1 - r * r` for `tanh` loses every digit where it
saturates, so the forms here avoid such cancellations. A rule is singular where its partial can be infinite at a
finite argument, overflow included: with `x = -800` the chain `1 / (1 + exp(-x))` has a zero adjoint that meets an
infinite partial, and the right answer is zero.
"""

from __future__ import annotations

from cladpy.derivatives.forms import function, with_float_forms
from cladpy.derivatives.rule import MathRule

_ROWS: tuple[MathRule, ...] = (
    # trigonometry
    function("sin", "::cos(x)", on=(-6.0, 6.0)),
    function("cos", "-::sin(x)", on=(-6.0, 6.0)),
    function("tan", "T(1) + r * r", on=(-1.4, 1.4)),
    function("asin", "cladpy::rsqrt((T(1) - x) * (T(1) + x))", on=(-0.99, 0.99), singular=True),
    function("acos", "-cladpy::rsqrt((T(1) - x) * (T(1) + x))", on=(-0.99, 0.99), singular=True),
    function("atan", "T(1) / (T(1) + x * x)", on=(-8.0, 8.0), flattens=True),
    function(
        "atan2", "cladpy::atan2_dx<T>(x, y)", "-cladpy::atan2_dx<T>(y, x)", on=(-4.0, 4.0), singular=True, flattens=True
    ),
    function("sinpi", "T(3.14159265358979323846) * ::cospi(x)", on=(-2.3, 2.3)),
    function("cospi", "T(-3.14159265358979323846) * ::sinpi(x)", on=(-2.3, 2.3)),
    # hyperbolics
    function("sinh", "::cosh(x)", on=(-5.0, 5.0), singular=True),
    function("cosh", "::sinh(x)", on=(-5.0, 5.0), singular=True),
    function("tanh", "cladpy::tanh_dx<T>(x, r)", on=(-12.0, 12.0), flattens=True),
    function("asinh", "T(1) / ::hypot(x, T(1))", on=(-9.0, 9.0)),
    function("acosh", "cladpy::rsqrt(x - T(1)) * cladpy::rsqrt(x + T(1))", on=(1.01, 9.0), singular=True),
    function("atanh", "T(1) / ((T(1) - x) * (T(1) + x))", on=(-0.99, 0.99), singular=True),
    # exponentials and logarithms
    function("exp", "r", on=(-8.0, 8.0), singular=True, flattens=True),
    function("exp2", "r * T(0.69314718055994530942)", on=(-8.0, 8.0), singular=True, flattens=True),
    function("exp10", "r * T(2.30258509299404568402)", on=(-4.0, 4.0), singular=True, flattens=True),
    function("expm1", "::exp(x)", on=(-8.0, 8.0), singular=True, flattens=True),
    function("log", "T(1) / x", on=(0.05, 20.0), singular=True),
    function("log2", "T(1.44269504088896340736) / x", on=(0.05, 20.0), singular=True),
    function("log10", "T(0.43429448190325182765) / x", on=(0.05, 20.0), singular=True),
    function("log1p", "T(1) / (T(1) + x)", on=(-0.9, 20.0), singular=True),
    # powers and roots
    function("sqrt", "T(0.5) * cladpy::rsqrt(x)", on=(0.01, 20.0), singular=True),
    function("rsqrt", "T(-0.5) * r * r * r", on=(0.01, 20.0), singular=True, flattens=True),
    function("cbrt", "T(1) / (T(3) * r * r)", on=(-9.0, 9.0), singular=True),
    function("rcbrt", "-r / (T(3) * x)", on=(0.05, 9.0), singular=True, flattens=True),
    function(
        "pow",
        "cladpy::pow_dx<T>(x, y)",
        "cladpy::pow_dy<T>(x, y, r)",
        on=((0.05, 5.0), (-4.0, 4.0)),
        singular=True,
        flattens=True,
    ),
    # lengths; the root of the squares in that of many numbers
    function("cladpy::norm_root", "cladpy::norm_root_dx<T>(r)", on=(0.01, 20.0), singular=True),
    function("hypot", "cladpy::norm_dx<T>(x, r)", "cladpy::norm_dx<T>(y, r)", on=(-5.0, 5.0)),
    function("norm3d", *(f"cladpy::norm_dx<T>({v}, r)" for v in "xyz"), on=((-5.0, 5.0),) * 3),
    function("norm4d", *(f"cladpy::norm_dx<T>({v}, r)" for v in "xyzw"), on=((-5.0, 5.0),) * 4),
    function(
        "rhypot", *(f"cladpy::rnorm_dx<T>({v}, r)" for v in "xy"), on=((0.1, 5.0),) * 2, singular=True, flattens=True
    ),
    function(
        "rnorm3d", *(f"cladpy::rnorm_dx<T>({v}, r)" for v in "xyz"), on=((0.1, 5.0),) * 3, singular=True, flattens=True
    ),
    function(
        "rnorm4d", *(f"cladpy::rnorm_dx<T>({v}, r)" for v in "xyzw"), on=((0.1, 5.0),) * 4, singular=True, flattens=True
    ),
)

RULES: tuple[MathRule, ...] = tuple(with_float_forms(_ROWS))
