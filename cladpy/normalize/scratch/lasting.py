"""Which variables of host functions last from one call to the next, and what allocates their memory."""

from __future__ import annotations

from collections.abc import Iterator

from cladpy import known
from cladpy.ir import surface as s
from cladpy.ir import surface_walk
from cladpy.ir.symbols import Role, Space, Symbol
from cladpy.ir.types import Pointer, Scalar, is_floating
from cladpy.order import scan


def lasting_in(hosts: list[s.Function], times: set[Symbol]) -> dict[Symbol, s.Declare | None]:
    """The variables that last, with their declarations where these are static in a function: such ones, pointers
    to what is allocated, and integers that change in a function which names one of the others, but for `times`."""
    found: dict[Symbol, s.Declare | None] = {
        d.symbol: d for f in hosts for d in surface_walk.declarations(f.body) if d.symbol.role is Role.GLOBAL
    }
    for function in hosts:
        found |= {v: None for v in _allocated_for(function) if _may_last(v) and v not in found}
    for function in hosts:
        if not found.keys().isdisjoint({*scan.globals_of(function)} - times):
            assigned = scan.Assigned()
            assigned.add_statement(function.body)
            integers = (v for v in assigned.symbols if isinstance(v.type, Scalar) and not is_floating(v.type))
            found |= {v: None for v in integers if _may_last(v) and v not in found}
    return found


def _allocated_for(function: s.Function) -> Iterator[Symbol]:
    """The variables that a function has lead to new memory."""
    for expr in surface_walk.expressions(function.body):
        for e in surface_walk.walk(expr):
            match e:
                case s.Assign(target=s.VarRef(symbol=symbol), value=value) if allocation(value) is not None:
                    yield symbol
                case s.Call():
                    given = given_place(e)
                    if given is not None:
                        yield given


def _may_last(symbol: Symbol) -> bool:
    return (
        symbol.role is Role.GLOBAL and symbol.space is Space.GLOBAL and not symbol.const and symbol.initial is not None
    )


def given_place(call: s.Call) -> Symbol | None:
    """The variable that an allocation has lead to its memory."""
    row = known.of(call.callee.name) if call.callee.in_system_header else None
    if isinstance(row, known.Allocation) and row.place is not None:
        match uncast(call.arguments[row.place]):
            case s.AddressOf(operand=s.VarRef(symbol=symbol)):
                return symbol
    return None


def uncast(expr: s.Expr) -> s.Expr:
    while isinstance(expr, s.Cast) and isinstance(expr.type, Pointer) and isinstance(expr.operand.type, Pointer):
        expr = expr.operand
    return expr


def allocation(expr: s.Expr) -> tuple[s.Call, known.Allocation] | None:
    """A call that returns new memory."""
    call = uncast(expr)
    if isinstance(call, s.Call) and call.callee.in_system_header:
        row = known.of(call.callee.name)
        if isinstance(row, known.Allocation) and row.place is None:
            return call, row
    return None
