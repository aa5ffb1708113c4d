"""Which parts of an expression C++ does not put in order, and whether that matters to a value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

from cladpy.diagnostics import Note, Span
from cladpy.ir import surface as s
from cladpy.ir import surface_walk
from cladpy.ir.surface import BinaryOp
from cladpy.ir.symbols import FunctionSymbol
from cladpy.ir.types import VOID
from cladpy.order.effects import Summaries, Within
from cladpy.order.places import Effects, Place, in_turn, key, meet

CODE = "CP0281"
_HINT = "give each a statement of its own, in the order that is meant"
_OPEN = "C++ leaves the order open in which these are evaluated"
_DIFFERENT = "compilers evaluate these in different orders"
# Operators of numbers whose operands come one after the other; from C++17 on, these too.
_IN_ORDER = (BinaryOp.AND, BinaryOp.OR)
_IN_ORDER_17 = (BinaryOp.SHL, BinaryOp.SHR)
# Those of classes, where they are written as operators.
_OVERLOADED = re.compile(r"operator(<<|>>|\[\]|\(\)|,|&&|\|\||->\*?|.*[^=!<>]=|=|<<=|>>=)")
_SYMMETRIC = (BinaryOp.ADD, BinaryOp.MUL, BinaryOp.EQ, BinaryOp.NE, BinaryOp.BIT_AND, BinaryOp.BIT_OR, BinaryOp.BIT_XOR)
_BEFORE_17 = re.compile(r"(c|gnu)\+\+(98|03|0x|11|1y|14)")


_WRITING = (s.Assign, s.CompoundAssign, s.IncDec, s.Call, s.Construct)


@dataclass(frozen=True, slots=True)
class _Part:
    """One of several parts of an expression in no order."""

    expr: s.Expr
    effects: Effects


def in_order(program: s.Program, std: str) -> s.Program:
    """The program; where its values depend on an order that C++ leaves open, that is said in place of the statement."""
    summaries = Summaries(program.functions)
    done = {}
    for symbol, function in program.functions.items():
        found = _Sequenced(Within(function, summaries), _BEFORE_17.fullmatch(std) is None)
        body = found.block(function.body)
        done[symbol] = function if body is function.body else replace(function, body=body)
    return replace(program, functions=done)


class _Sequenced:
    """One function."""

    def __init__(self, within: Within, is_17: bool) -> None:
        self._within = within
        self._is_17 = is_17

    # ---- statements -------------------------------------------------------------------------------------------------

    def block(self, block: s.Block) -> s.Block:
        inner = self._statements(block.statements)
        return block if inner is block.statements else replace(block, statements=inner)

    def _statements(self, statements: tuple[s.Stmt, ...]) -> tuple[s.Stmt, ...]:
        done: list[s.Stmt] = []
        for statement in statements:
            done += (
                s.Evaluate(e, e.span) for expr in surface_walk.own_expressions(statement) for e in self._found(expr)
            )
            done.append(self._statement(statement))
        if len(done) == len(statements) and all(a is b for a, b in zip(done, statements, strict=True)):
            return statements
        return tuple(done)

    def _statement(self, statement: s.Stmt) -> s.Stmt:
        match statement:
            case s.Block():
                return self.block(statement)
            case s.If(then=then, other=other):
                arms = (self.block(then), None if other is None else self.block(other))
                return statement if arms == (then, other) else replace(statement, then=arms[0], other=arms[1])
            case s.For(init=init, body=body):
                first, inner = self._statements(init), self.block(body)
                return statement if first is init and inner is body else replace(statement, init=first, body=inner)
            case s.While(body=body) | s.DoWhile(body=body):
                inner = self.block(body)
                return statement if inner is body else replace(statement, body=inner)
            case s.Switch(sections=sections):
                bodies = [self._statements(section.body) for section in sections]
                if all(b is section.body for b, section in zip(bodies, sections, strict=True)):
                    return statement
                done = (replace(section, body=b) for section, b in zip(sections, bodies, strict=True))
                return replace(statement, sections=tuple(done))
            case _:
                return statement

    # ---- expressions ------------------------------------------------------------------------------------------------

    def _found(self, expr: s.Expr) -> Iterator[s.Unsupported]:
        if not any(isinstance(e, _WRITING) for part in surface_walk.children(expr) for e in surface_walk.walk(part)):
            return  # what it writes itself comes last
        for e in surface_walk.walk(expr):
            if len(surface_walk.children(e)) < 2:
                continue
            for one, other in self._open(e):
                if isinstance(e, s.Binary) and e.op in _SYMMETRIC and _are_one(one.expr, other.expr):
                    continue  # either order gives the same
                place = self._met(one.effects, other.effects)
                if place is not None:
                    differs = self._is_17 and isinstance(e, s.CompoundAssign)
                    yield _refused(place, one, other, e.span, _DIFFERENT if differs else _OPEN)
                    break

    def _open(self, expr: s.Expr) -> Iterator[tuple[_Part, _Part]]:
        """The pairs of parts whose order C++ leaves open."""
        match expr:
            case s.Binary(op=op, left=left, right=right):
                if op not in _IN_ORDER and not (self._is_17 and op in _IN_ORDER_17):
                    yield self._part(left), self._part(right)
            case s.Assign(target=target, value=value) | s.CompoundAssign(target=target, value=value):
                if not self._is_17:
                    # that it is written is not in order with what the value writes
                    touched = self._within.evaluated(target) | Effects(reads=self._within.place(target))
                    yield _Part(target, touched), self._part(value)
                elif isinstance(expr, s.CompoundAssign):
                    # the value comes first, but for g++ if the target writes what the value reads
                    yield _Part(target, Effects(writes=self._within.evaluated(target).writes)), self._part(value)
            case s.Index(base=base, index=index):
                if not self._is_17:
                    yield self._part(base), self._part(index)
            case s.Call(callee=callee, arguments=arguments, last_first=last_first, launch=launch):
                if last_first and self._is_17:
                    return
                parts = self._arguments(callee, arguments, 0)
                if launch is not None:
                    parts += map(self._part, launch.expressions)
                elif callee.name.startswith("operator"):
                    if _OVERLOADED.fullmatch(callee.name) and self._is_17:
                        parts = parts[1:] if callee.name == "operator()" else []
                elif callee.is_method:
                    parts = parts[1:]
                yield from combinations(parts, 2)
            case s.Construct(constructor=callee, arguments=arguments, in_order=False):
                yield from combinations(self._arguments(callee, arguments, 1), 2)
            case _:
                pass

    def _part(self, expr: s.Expr) -> _Part:
        return _Part(expr, self._within.value(expr))

    def _arguments(self, callee: FunctionSymbol, arguments: tuple[s.Expr, ...], first: int) -> list[_Part]:
        return [_Part(a, self._within.given(callee, i, a)) for i, a in enumerate(arguments, first)]

    def _met(self, one: Effects, other: Effects) -> Place | None:
        exposed = self._within.exposed
        for writing, touching in ((one, other), (other, one)):
            for written in in_turn(writing.writes):
                if written.symbol is None:
                    continue  # nothing is known of where it lies: most often apart
                if any(meet(written, touched, exposed) for touched in touching.reads | touching.writes):
                    return written
        return None


def _are_one(one: s.Expr, other: s.Expr) -> bool:
    """Whether two operands are the same calls: what is written by an operator beside the other is undefined."""
    direct = (s.Assign, s.CompoundAssign, s.IncDec)
    return key(one) == key(other) and not any(isinstance(e, direct) for e in surface_walk.walk(one))


def _refused(place: Place, one: _Part, other: _Part, span: Span, why: str) -> s.Unsupported:
    name = "memory" if place.symbol is None else place.symbol.name
    what = f"what '{name}' leads to" if place.behind else f"'{name}'" if place.symbol is not None else name
    message = f"{why}, and the value depends on it: {what} is written"
    notes = (Note("one of them", one.expr.span), Note("the other", other.expr.span))
    return s.Unsupported(CODE, message, _HINT, VOID, span, notes=notes)
