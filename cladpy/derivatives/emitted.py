"""Rules of the functions that gradients are made of, for gradients of gradients.

The others of the header library are read like functions of the user's. Of these the derivative is not what a body says:
that of `times(adjoint, partial)` by an adjoint of zero is the partial, and the body's choice there would make it zero.
"""

from __future__ import annotations

from cladpy.derivatives.forms import function
from cladpy.derivatives.rule import MathRule

_ANY = (-4.0, 4.0)
_NOT_ZERO = (0.2, 4.0)

RULES: tuple[MathRule, ...] = (
    function("cladpy::times", "y", "x", on=_ANY),
    function("cladpy::product", "y", "x", on=_ANY),
    function("cladpy::chosen", "y", "x", on=_ANY),
    function("cladpy::over", "cladpy::reciprocal(T(y))", "-cladpy::over<T>(r, y)", on=(_ANY, _NOT_ZERO), singular=True),
    function("cladpy::reciprocal", "-r * r", on=_NOT_ZERO, singular=True, flattens=True),
    function("cladpy::rsqrt", "T(-0.5) * r / x", on=_NOT_ZERO, singular=True, flattens=True),
    # where y is 0 its body gives what is right for x alone
    function(
        "cladpy::pow_dx",
        "y * cladpy::pow_dx<T>(x, y - T(1))",
        "::pow(x, y - T(1)) + y * cladpy::pow_dy<T>(x, y - T(1), ::pow(x, y - T(1)))",
        on=(_NOT_ZERO, (-3.0, 3.0)),
        singular=True,
    ),
    function("cladpy::add_rn", "T(1)", "T(1)", on=_ANY),
    function("cladpy::sub_rn", "T(1)", "-T(1)", on=_ANY),
    function("cladpy::mul_rn", "y", "x", on=_ANY),
)
