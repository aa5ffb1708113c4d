"""Teams of Kokkos' of several threads, which are read as one thread.

What all threads of a team do besides their shares of a range, and besides what one of them does alone, is done as often
as the team has threads. Where that is an addition the number of threads counts: it is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from cladpy.diagnostics import Sink, Span
from cladpy.ir import surface as s
from cladpy.ir import surface_walk
from cladpy.ir.symbols import FunctionSymbol, Symbol
from cladpy.ir.types import Reference, Struct, Type

_OURS = "Kokkos::cladpy_kokkos::"
_SEVERAL = f"{_OURS}team_of_several"
_OF_TEAM = f"{_OURS}of_team<"
_SHARED = re.compile(rf"{_OURS}(range_of<|ranges_of<\d+, |one_of<)(true|false)>|Kokkos::(Team|Thread)\w+MDRange<")
_BY_EACH = ("true", "Thread")
_RANK = f"{_OURS}rank_in_team"
_ADDING = ("Kokkos::atomic_", f"{_OURS}atomic_element<", f"{_OURS}TeamMember::team_reduce")
_SAID = "each of a team's several threads does this, which counts"
_HINT = "do it in Kokkos::single(Kokkos::PerTeam(member), ...), over TeamThreadRange, or where member.team_rank() == 0"


def check_team_sizes(program: s.Program, sink: Sink) -> None:
    """Refuses what counts the threads of teams, where a program says how many they have."""
    if not any(f.qualified_name == _SEVERAL for f in program.functions):
        return
    check = _Check(program, sink)
    for symbol, function in program.functions.items():
        if symbol.qualified_name.startswith(_OF_TEAM) and symbol.name == "operator()":
            check.body(function, frozenset(p for p in function.parameters[1:] if isinstance(p.type, Reference)))


@dataclass(slots=True)
class _Check:
    program: s.Program
    sink: Sink
    seen: set[tuple[FunctionSymbol, frozenset[Symbol]]] = field(default_factory=set)

    def body(self, function: s.Function, sums: frozenset[Symbol]) -> None:
        """What a function does that each thread calls; `sums` are its parameters that threads add to."""
        if (function.symbol, sums) not in self.seen:
            self.seen.add((function.symbol, sums))
            self.statement(function.body, sums)

    def statement(self, statement: s.Stmt, sums: frozenset[Symbol]) -> None:
        inner = surface_walk.inner_statements(statement)
        if isinstance(statement, s.If) and _is_of_the_first(statement.condition):
            inner = inner[1:]
        for expr in surface_walk.own_expressions(statement):
            self.expression(expr, sums)
        for other in inner:
            self.statement(other, sums)

    def expression(self, expr: s.Expr, sums: frozenset[Symbol]) -> None:
        match expr:
            case s.Assign(target=target) | s.CompoundAssign(target=target) if _symbols(target) & sums:
                self.refuse(expr.span)
            case s.IncDec() | s.InitList() | s.Construct() if _symbols(expr) & sums:  # closures of lambdas are made so
                self.refuse(expr.span)
            case s.Call(arguments=arguments):
                shared = [found[2] or found[3] for a in arguments if (found := _SHARED.match(_class(a.type)))]
                if shared and shared[0] not in _BY_EACH:
                    return  # its work is divided among the threads
                self.call(expr, bool(shared), sums)
        for operand in surface_walk.children(expr):
            self.expression(operand, sums)

    def call(self, call: s.Call, by_each: bool, sums: frozenset[Symbol]) -> None:
        if by_each or call.callee.qualified_name.startswith(_ADDING):
            self.refuse(call.span)
        function = self.program.functions.get(call.callee)
        if function is None:
            return
        given = zip(function.parameters, call.arguments, strict=False)
        self.body(function, frozenset(p for p, a in given if isinstance(p.type, Reference) and _symbols(a) & sums))

    def refuse(self, span: Span) -> None:
        self.sink.error("CP0018", _SAID, span, hint=_HINT)


def _class(type: Type) -> str:
    type = type.referee if isinstance(type, Reference) else type
    return type.spelling if isinstance(type, Struct) else ""


def _symbols(expr: s.Expr) -> set[Symbol]:
    """The variables that an expression is made of."""
    return {e.symbol for e in surface_walk.walk(expr) if isinstance(e, s.VarRef)}


def _is_of_the_first(condition: s.Expr) -> bool:
    """Whether a condition holds for the first thread of a team only."""
    return any(
        isinstance(e, s.Call) and e.callee.name == "operator==" and any(_class(a.type) == _RANK for a in e.arguments)
        for e in _parts(condition)
    )


def _parts(condition: s.Expr) -> Iterator[s.Expr]:
    """What must hold for a condition to hold."""
    if isinstance(condition, s.Binary) and condition.op is s.BinaryOp.AND:
        yield from _parts(condition.left)
        yield from _parts(condition.right)
    else:
        yield condition
