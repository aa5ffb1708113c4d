"""The same bits as another type: what a pointer of another type, or a union, gives; and numbers made of others."""

from __future__ import annotations

from collections.abc import Sequence

from cladpy import known
from cladpy.diagnostics import NOWHERE
from cladpy.ir import core
from cladpy.ir.fold import binary, cast
from cladpy.ir.surface import BinaryOp
from cladpy.ir.symbols import FunctionKind, FunctionSymbol
from cladpy.ir.types import (
    BOOL,
    INT,
    UINT,
    ULONG,
    Scalar,
    ScalarKind,
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


def joined(parts: Sequence[core.Expr], type: Type) -> core.Expr | None:
    """The value whose bits are those of smaller numbers that lie one after the other in memory, the lowest first."""
    wide = _in_registers(type)
    found: core.Expr | None = None
    for i, part in enumerate(parts):
        bits = reinterpreted(part, _UNSIGNED[size_of(part.type)])
        if bits is None:
            return None
        shift = core.Const(8 * size_of(part.type) * i, INT)
        shifted = binary(BinaryOp.SHL, cast(bits, wide), shift, wide) if i else cast(bits, wide)
        found = shifted if found is None else binary(BinaryOp.BIT_OR, found, shifted, wide)
    assert found is not None
    return reinterpreted(cast(found, _UNSIGNED[size_of(type)]), type)


def part(whole: core.Expr, position: core.Expr, type: Type) -> core.Expr | None:
    """The number at a position among those that a larger one's bits are made of."""
    wide = _in_registers(whole.type)
    bits = reinterpreted(whole, _UNSIGNED[size_of(whole.type)])
    if bits is None:
        return None
    shift = binary(BinaryOp.MUL, cast(position, INT), core.Const(8 * size_of(type), INT), INT)
    shifted = cast(bits, wide)
    if shift != core.Const(0, INT):
        shifted = binary(BinaryOp.SHR, shifted, shift, wide)
    return reinterpreted(cast(shifted, _UNSIGNED[size_of(type)]), type)


def _in_registers(type: Type) -> Scalar:
    """The unsigned type in which bits of a type are shifted."""
    return ULONG if size_of(type) == 8 else UINT


_UNSIGNED = {1: Scalar(ScalarKind.UCHAR), 2: Scalar(ScalarKind.USHORT), 4: UINT, 8: ULONG}


def _call(name: str, argument: core.Expr, result: Type) -> core.Expr:
    # twice around gives the number itself
    if isinstance(argument, core.Math) and {argument.callee.name, name} in _INVERSE:
        return argument.arguments[0]
    symbol = FunctionSymbol(name, name, result, (argument.type,), FunctionKind.DEVICE, NOWHERE, True)
    return core.Math(symbol, (argument,), result)


_INVERSE = tuple({_OF_BITS[type].name, _TO_BITS[type].name} for type in _OF_BITS)
