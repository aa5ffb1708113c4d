"""The same bits as another type: what a pointer of another type, or a union, gives."""

from __future__ import annotations

from cladpy.diagnostics import NOWHERE
from cladpy.ir import core
from cladpy.ir.fold import cast
from cladpy.ir.symbols import FunctionKind, FunctionSymbol
from cladpy.ir.types import (
    BFLOAT16,
    BOOL,
    DOUBLE,
    FLOAT,
    HALF,
    INT,
    Scalar,
    ScalarKind,
    Type,
    is_floating,
    size_of,
)

_SHORT, _LONGLONG = Scalar(ScalarKind.SHORT), Scalar(ScalarKind.LONGLONG)
# CUDA's functions between a floating type and the integer type of its size.
_OF_BITS = {
    HALF: ("__short_as_half", _SHORT),
    BFLOAT16: ("__short_as_bfloat16", _SHORT),
    FLOAT: ("__int_as_float", INT),
    DOUBLE: ("__longlong_as_double", _LONGLONG),
}
_TO_BITS = {
    HALF: ("__half_as_short", _SHORT),
    BFLOAT16: ("__bfloat16_as_short", _SHORT),
    FLOAT: ("__float_as_int", INT),
    DOUBLE: ("__double_as_longlong", _LONGLONG),
}


def reinterpreted(expr: core.Expr, type: Type) -> core.Expr | None:
    """The value whose bits are those of `expr`; None where the types differ in size, or one is bool."""
    before = expr.type
    if before == type:
        return expr
    if not (isinstance(before, Scalar) and isinstance(type, Scalar)) or size_of(before) != size_of(type):
        return None
    if BOOL in (before, type):
        return None
    if is_floating(before):
        name, bits = _TO_BITS[before]
        expr = _call(name, expr, bits)
    if is_floating(type):
        name, bits = _OF_BITS[type]
        return _call(name, cast(expr, bits), type)
    return cast(expr, type)


def _call(name: str, argument: core.Expr, result: Type) -> core.Expr:
    # twice around gives the number itself
    if isinstance(argument, core.Math) and {argument.callee.name, name} in _INVERSE:
        return argument.arguments[0]
    symbol = FunctionSymbol(name, name, result, (argument.type,), FunctionKind.DEVICE, NOWHERE, True)
    return core.Math(symbol, (argument,), result)


_INVERSE = tuple({_OF_BITS[type][0], _TO_BITS[type][0]} for type in _OF_BITS)
