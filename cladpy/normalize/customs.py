"""Which argument a function gives back, of those that have derivatives of the user's."""

from __future__ import annotations

from cladpy.ir import surface as s
from cladpy.ir import surface_walk
from cladpy.ir.symbols import FunctionSymbol
from cladpy.ir.types import Pointer, Reference
from cladpy.order import scan


def returns_object(symbol: FunctionSymbol) -> bool:
    """Whether an operator gives the object that it was called on, as assignments do."""
    return symbol.is_method and symbol.name.startswith("operator") and symbol.name.endswith("=")


def given_back(symbol: FunctionSymbol, function: s.Function | None) -> int | None:
    """The position of the argument that a function gives back as a reference, or as the pointer that it was given; None
    where what it gives is not always the same argument."""
    if returns_object(symbol):
        return 0
    if function is None:
        return None
    found = {_position(r.value, function) for r in surface_walk.returns(function.body)}
    return found.pop() if len(found) == 1 else None


def _position(value: s.Expr | None, function: s.Function) -> int | None:
    """Which parameter a returned expression stands for, or points to."""
    by_reference = isinstance(function.symbol.result, Reference)
    while isinstance(value, s.Cast):
        value = value.operand
    match value:
        case s.Deref(operand=s.VarRef(symbol=symbol)) if by_reference:
            pass
        case s.AddressOf(operand=s.VarRef(symbol=symbol)) if not by_reference and isinstance(symbol.type, Reference):
            pass
        case s.VarRef(symbol=symbol) if isinstance(symbol.type, Reference) is by_reference:
            pass
        case _:
            return None
    moved = scan.Assigned()
    moved.add_statement(function.body)
    if symbol not in function.parameters or (isinstance(symbol.type, Pointer) and symbol in moved.symbols):
        return None
    return function.parameters.index(symbol)
