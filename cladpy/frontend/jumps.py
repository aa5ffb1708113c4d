"""Blocks of a function that are left early, for what stands behind them.

Such a block is read as `switch (0) { default: ... }`, and a jump to its end as `number = N; break;`, with
`if (number != 0) break;` behind the loops and switches on the way. The number says how it was left: those from 1 on are
of who made the block, the others are for the `break` or `continue` of a loop or switch around it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cladpy.diagnostics import Span
from cladpy.frontend.destructors import Around
from cladpy.frontend.initializers import zero
from cladpy.frontend.libclang import Cursor
from cladpy.ir import surface as s
from cladpy.ir.symbols import Role, Symbol
from cladpy.ir.types import BOOL, INT, strip_reference

if TYPE_CHECKING:
    from cladpy.frontend.functions import FunctionReader

_BROKEN = -1
_CONTINUED = -2
_AROUND = (Around.LOOP, Around.SWITCH, Around.TRY)


@dataclass(eq=False, slots=True)
class Leaving:
    """A block that is being read, `level` loops, switches and such blocks deep."""

    number: Symbol
    level: int
    is_loop: bool = False  # it begins again where it is left by 1
    deepest: int = 0  # the level of a jump to its end that has not come to the block's own
    broken: Cursor | None = None  # a `break` out of it
    continued: Cursor | None = None  # a `continue` of a loop around it

    def set(self, number: int, span: Span) -> s.Stmt:
        return set_to(self.number, s.Literal(number, INT, span), span)

    def is_(self, op: s.BinaryOp, number: int, span: Span) -> s.Expr:
        return compared(op, self.number, number, span)


class Jumps:
    """The blocks of one function that are left early where it is being read."""

    def __init__(self, scope: FunctionReader) -> None:
        self._scope = scope
        self._blocks: list[Leaving] = []  # the innermost last
        self._level = 0
        self._loops: list[int] = []  # the levels of the user's loops

    def block(self, name: str, span: Span, *, is_loop: bool = False) -> Leaving:
        """A block that is about to be read."""
        return Leaving(Symbol(name, INT, Role.VARIABLE, span), self._level, is_loop)

    @contextmanager
    def inside(self, block: Leaving) -> Iterator[None]:
        self._blocks.append(block)
        self._level += 1
        try:
            yield
        finally:
            self._blocks.pop()
            self._level -= 1

    def whole(self, block: Leaving, inside: s.Block, span: Span) -> list[s.Stmt]:
        """The block as statements, in front of what follows it for each of its numbers."""
        section = s.SwitchSection((None,), inside.statements, inside.span)
        switch = s.Switch(s.Literal(0, INT, span), (section,), span)
        found: list[s.Stmt] = [s.Declare(block.number, zero(INT, span), span), switch]
        if block.is_loop:
            body = s.Block((block.set(0, span), switch), span)
            found[1] = s.DoWhile(body, block.is_(s.BinaryOp.EQ, 1, span), span)
        for number, jump in ((_BROKEN, block.broken), (_CONTINUED, block.continued)):
            if jump is not None:
                on = s.Block(tuple(self._scope.statements.read(jump)), span)
                found.append(s.If(block.is_(s.BinaryOp.EQ, number, span), on, None, span))
        return found

    def stop(self, block: Leaving, number: int, span: Span) -> list[s.Stmt]:
        """To the end of a block."""
        block.deepest = max(block.deepest, self._level)
        return [block.set(number, span), *self._scope.destructors.before_jump(_AROUND, span), s.Break(span)]

    def broken(self, cursor: Cursor, span: Span) -> list[s.Stmt] | None:
        """A `break` that leaves the innermost block; None for another."""
        if not self._blocks or self._blocks[-1].level + 1 != self._level:
            return None
        self._blocks[-1].broken = cursor
        return self.stop(self._blocks[-1], _BROKEN, span)

    def continued(self, cursor: Cursor, span: Span) -> list[s.Stmt] | None:
        """A `continue` that leaves a block which is a loop of its own; None for another."""
        innermost = self._loops[-1] if self._loops else 0
        block = next((b for b in reversed(self._blocks) if b.is_loop and b.level >= innermost), None)
        if block is None:
            return None
        block.continued = cursor
        return self.stop(block, _CONTINUED, span)

    def within(
        self, read: Callable[[Cursor, Span], list[s.Stmt]], *, is_loop: bool = True
    ) -> Callable[[Cursor, Span], list[s.Stmt]]:
        """A reader of loops, or of switches, that lets pass the jumps out of them."""

        def reader(cursor: Cursor, span: Span) -> list[s.Stmt]:
            self._level += 1
            self._loops += [self._level] if is_loop else []
            try:
                statements = read(cursor, span)
            finally:
                self._level -= 1
                if is_loop:
                    self._loops.pop()
            return [*statements, *self.passed_on(span)]

        return reader

    def passed_on(self, span: Span) -> list[s.Stmt]:
        """Behind what has just been read: on to the blocks further out that a jump in there goes to the end of."""
        found: list[s.Stmt] = []
        for block in reversed(self._blocks):
            if block.deepest > self._level:
                block.deepest = self._level if self._level > block.level + 1 else 0
                on = (*self._scope.destructors.before_jump(_AROUND, span), s.Break(span))
                found.append(s.If(block.is_(s.BinaryOp.NE, 0, span), s.Block(on, span), None, span))
        return found


def set_to(variable: Symbol, value: s.Expr, span: Span) -> s.Stmt:
    type = strip_reference(variable.type)
    return s.Evaluate(s.Assign(s.VarRef(variable, type, span), value, type, span), span)


def compared(op: s.BinaryOp, variable: Symbol, number: int, span: Span) -> s.Expr:
    return s.Binary(op, s.VarRef(variable, INT, span), s.Literal(number, INT, span), BOOL, span)
