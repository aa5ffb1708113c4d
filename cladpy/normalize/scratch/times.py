"""Static variables that hold the time, as functions that measure it keep it from one call to the next.

What a clock shows is another number each time. So a variable of which each value is made of such numbers may hold
another such number where the program begins, while nothing that the gradient uses depends on that
(`adjoint/earlier_times.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cladpy import known
from cladpy.diagnostics import Span
from cladpy.ir import surface as s
from cladpy.ir import surface_walk
from cladpy.ir.surface import BinaryOp
from cladpy.ir.symbols import EARLIER, NANOSECONDS, FunctionSymbol, Role, Symbol
from cladpy.ir.types import BOOL, ULONG, Array, Reference, Struct
from cladpy.order import scan

_Node = Symbol | FunctionSymbol  # what has values: a variable, or a function by what it returns


def times_among(hosts: list[s.Function]) -> set[Symbol]:
    """The static variables of functions that hold nothing but what clocks have shown."""
    values: dict[_Node, list[_Made]] = {}
    for function in hosts:
        for node, value in _given(function):
            values.setdefault(node, []).append(value)
    held = {d.symbol for f in hosts for d in surface_walk.declarations(f.body) if d.symbol.role is Role.GLOBAL}
    nodes = set(values) - {v for v in values if isinstance(v, Symbol) and v.role is Role.GLOBAL and v not in held}
    while bad := {n for n in nodes if any(m.other or not m.of <= {*nodes, NANOSECONDS} for m in values[n])}:
        nodes -= bad
    told: set[_Node] = {NANOSECONDS}  # not what is made of itself alone, such as a counter
    while more := {n for n in nodes - told if _is_told(n, values[n], told)}:
        told |= more
    return held & told


def _is_told(node: _Node, values: list[_Made], told: set[_Node]) -> bool:
    return any(m.of & told for m in values) and all(m.of & {*told, node} for m in values)


@dataclass(frozen=True, slots=True)
class _Made:
    """What a value is made of, and whether of something else as well."""

    of: set[_Node]
    other: bool = False


_ANYTHING = _Made(set(), other=True)


def _given(function: s.Function) -> Iterator[tuple[_Node, _Made]]:
    """The values that a function gives variables, and returns."""
    for p in function.parameters:
        yield p, _ANYTHING
    for statement in surface_walk.statements(function.body):
        match statement:
            case s.Declare(symbol=Symbol(type=Reference()), init=place) | s.Bind(referred=place) if place is not None:
                yield from ((v, _ANYTHING) for v in scan.lvalue_symbols(place))
            case s.Declare(symbol=symbol, init=init) if init is not None:
                made = _made(init)
                if made.of or made.other or symbol.role is not Role.GLOBAL:  # not zero where the program begins
                    yield symbol, made
            case s.Return(value=value) if value is not None:
                yield function.symbol, _made(value)
        for expr in surface_walk.own_expressions(statement):
            for e in surface_walk.walk(expr):
                yield from _given_by(e)


def _given_by(expr: s.Expr) -> Iterator[tuple[_Node, _Made]]:
    match expr:
        case s.Assign(target=target, value=value):
            made = _made(value)
            yield from ((v, made) for v in scan.lvalue_symbols(target))
        case s.CompoundAssign(target=target, value=value):
            made = _made(value)
            yield from ((v, _Made({*made.of, v}, made.other)) for v in scan.lvalue_symbols(target))
        case s.AddressOf() | s.IncDec() | s.Call() | s.Construct():
            assigned = scan.Assigned()
            assigned.add_expression(expr)
            yield from ((v, _ANYTHING) for v in assigned.symbols)
    if not isinstance(expr, s.Index):  # of an array there is the address
        for part in surface_walk.children(expr):
            if isinstance(part.type, Array):
                yield from ((v, _ANYTHING) for v in scan.lvalue_symbols(part))


def _made(expr: s.Expr) -> _Made:
    found: set[_Node] = set()
    stack = [expr]
    while stack:
        match stack.pop():
            case s.Literal():
                pass
            case s.VarRef(symbol=symbol) if not isinstance(symbol.type, Reference):
                found.add(symbol)
            case s.Call(callee=callee):
                if isinstance(known.of(callee.name), known.Clock) and callee.in_system_header:
                    callee = NANOSECONDS
                found.add(callee)
            case s.Member(base=base):
                stack.append(base)
            case s.Index(base=base) if isinstance(base.type, Array):
                stack.append(base)
            case s.Conditional(then=then, other=other):
                stack += (then, other)
            case s.Binary() | s.Unary() | s.Cast() | s.Comma() | s.InitList() as parts:
                stack += surface_walk.children(parts)
            case s.Assign(value=value):
                stack.append(value)
            case _:
                return _ANYTHING
    return _Made(found)


def shown(place: s.Expr, span: Span) -> Iterator[s.Stmt]:
    """Each number there becomes what a clock may have shown an earlier call."""
    match place.type:
        case Array(element=element, length=length):
            counter = Symbol("i", ULONG, Role.VARIABLE, span)
            at = s.VarRef(counter, ULONG, span)
            yield s.For(
                (s.Declare(counter, s.Literal(0, ULONG, span), span),),
                s.Binary(BinaryOp.LT, at, s.Literal(length, ULONG, span), BOOL, span),
                s.IncDec(at, 1, True, ULONG, span),
                s.Block(tuple(shown(s.Index(place, at, element, span), span)), span),
                span,
            )
        case Struct(fields=fields):
            for field in fields:
                yield from shown(s.Member(place, field, field.type, span), span)
        case type:
            now = s.Call(EARLIER, (), EARLIER.result, span)
            yield s.Evaluate(s.Assign(place, s.Cast(now, type, span), type, span), span)
