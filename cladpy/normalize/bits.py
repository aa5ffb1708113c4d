"""The same bits as another type: what a pointer of another type, or a union, gives."""

from __future__ import annotations

from cladpy import known
from cladpy.diagnostics import NOWHERE
from cladpy.ir import core
from cladpy.ir.fold import cast
from cladpy.ir.symbols import FunctionKind, FunctionSymbol
from cladpy.ir.types import (
    BOOL,
    Scalar,
    Type,
    is_floating,
    is_signed,
    size_of,
)


def _functions(to_integer: bool) -> dict[Type, known.Bits]:
    """CUDA's functions between a floating type and the signed integer type of its size."""
    rows = (row for row in known.BOOK if isinstance(row, known.Bits) and row.whole)
    return {row.number: row for row in rows if row.to_integer is to_integer and is_signed(row.integer)}


_OF_BITS, _TO_BITS = _functions(False), _functions(True)


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
        row = _TO_BITS[before]
        expr = _call(row.name, expr, row.integer)
    if is_floating(type):
        row = _OF_BITS[type]
        return _call(row.name, cast(expr, row.integer), type)
    return cast(expr, type)


def _call(name: str, argument: core.Expr, result: Type) -> core.Expr:
    # twice around gives the number itself
    if isinstance(argument, core.Math) and {argument.callee.name, name} in _INVERSE:
        return argument.arguments[0]
    symbol = FunctionSymbol(name, name, result, (argument.type,), FunctionKind.DEVICE, NOWHERE, True)
    return core.Math(symbol, (argument,), result)


_INVERSE = tuple({_OF_BITS[type].name, _TO_BITS[type].name} for type in _OF_BITS)
