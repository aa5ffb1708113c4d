"""A switch with labels in the middle of other statements, as in Duff's device.

It is written with a flag, which a label sets where the value is its own. What stands between labels runs where the flag
is set; an `if` or a loop with labels in it is come into where one of these will be met.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from cladpy.diagnostics import Span
from cladpy.frontend.refused import Refused
from cladpy.ir import surface as s
from cladpy.ir.symbols import Role, Symbol
from cladpy.ir.types import BOOL, INT, Scalar

if TYPE_CHECKING:
    from cladpy.frontend.switches import Label


class Entered:
    """One such switch. Its labels become statements (`met`), and its body what runs between them (`switch`)."""

    def __init__(self, value: s.Expr, labels: Mapping[int, Label], span: Span) -> None:
        self._value = value
        self._labels = labels
        self._span = span
        self._selector = Symbol("selector", value.type, Role.VARIABLE, span)
        self._inside = Symbol("inside", BOOL, Role.VARIABLE, span)
        self._tests: dict[int, s.Expr] = {}  # of the statements that stand for labels, by identity

    def label(self, node: int) -> Label:
        return self._labels[node]

    def met(self, value: int | None, span: Span) -> s.Stmt:
        """What a label does."""
        matches = self._matches(value, span)
        inside = self._ref(self._inside, span)
        either = s.Binary(s.BinaryOp.OR, inside, matches, BOOL, span)
        statement = s.Evaluate(s.Assign(inside, either, BOOL, span), span)
        self._tests[id(statement)] = matches
        return statement

    def switch(self, body: s.Block) -> list[s.Stmt]:
        """The statements that stand for the whole. What `break` leaves remains a switch."""
        span = self._span
        within = s.SwitchSection((None,), (self._block(body),), span)
        return [
            s.Declare(self._selector, self._value, span),
            s.Declare(self._inside, s.Literal(False, BOOL, span), span),
            s.Switch(s.Literal(0, INT, span), (within,), span),
        ]

    def _ref(self, symbol: Symbol, span: Span) -> s.Expr:
        return s.VarRef(symbol, symbol.type, span)

    def _matches(self, value: int | None, span: Span) -> s.Expr:
        type = self._selector.type
        assert isinstance(type, Scalar)
        selector = self._ref(self._selector, span)
        if value is not None:
            return s.Binary(s.BinaryOp.EQ, selector, s.Literal(value, type, span), BOOL, span)
        test: s.Expr = s.Literal(True, BOOL, span)
        for other in dict.fromkeys(label.value for label in self._labels.values()):
            if other is not None:
                differs = s.Binary(s.BinaryOp.NE, selector, s.Literal(other, type, span), BOOL, span)
                test = s.Binary(s.BinaryOp.AND, test, differs, BOOL, span)
        return test

    def _entry(self, statement: s.Stmt | None) -> s.Expr | None:
        """Whether one of the labels in a statement will be met; None where it has none."""
        match statement:
            case s.Evaluate():
                return self._tests.get(id(statement))
            case s.Block(statements=inner):
                return self._any(inner)
            case s.If(then=then, other=other):
                return self._any((then,) if other is None else (then, other))
            case s.For(body=body) | s.While(body=body) | s.DoWhile(body=body):
                return self._entry(body)
            case _:  # labels in a switch are that one's
                return None

    def _any(self, statements: tuple[s.Stmt, ...]) -> s.Expr | None:
        found: s.Expr | None = None
        for statement in statements:
            entry = self._entry(statement)
            if entry is not None:
                found = entry if found is None else s.Binary(s.BinaryOp.OR, found, entry, BOOL, entry.span)
        return found

    # ---- what runs --------------------------------------------------------------------------------------------------

    def _block(self, block: s.Block) -> s.Block:
        done: list[s.Stmt] = []
        run: list[s.Stmt] = []
        for statement in block.statements:
            entry = self._entry(statement)
            if entry is None:
                run.append(statement)
                continue
            done += self._run(run, in_front=True)
            run = []
            done.append(self._come_into(statement, entry))
        return s.Block((*done, *self._run(run, in_front=False)), block.span)

    def _run(self, statements: list[s.Stmt], in_front: bool) -> list[s.Stmt]:
        """Statements without labels; what they declare may be named behind the next label that they stand in front
        of."""
        declared: list[s.Stmt] = []
        guarded: list[s.Stmt] = []
        for statement in statements:
            if not in_front or not isinstance(statement, s.Declare):
                guarded.append(statement)
                continue
            symbol, init, span = statement.symbol, statement.init, statement.span
            declared.append(s.Declare(symbol, None, span))
            if init is not None:
                # what has an initialiser in C++ cannot be passed over: this is a condition that needs temporaries
                if not isinstance(symbol.type, Scalar):
                    raise Refused("CP0199", span, "a case label that passes over an initialiser")
                target = s.VarRef(symbol, symbol.type, span)
                guarded.append(s.Evaluate(s.Assign(target, init, symbol.type, span), span))
        if guarded:
            span = guarded[0].span
            declared.append(s.If(self._ref(self._inside, span), s.Block(tuple(guarded), span), None, span))
        return declared

    def _come_into(self, statement: s.Stmt, entry: s.Expr) -> s.Stmt:
        span = statement.span
        inside = self._ref(self._inside, span)

        def where(condition: s.Expr, entry: s.Expr | None) -> s.Expr:
            """`condition` where control comes from above, else whether a label will be met."""
            return s.Conditional(inside, condition, entry or s.Literal(False, BOOL, span), BOOL, span)

        match statement:
            case s.Block():
                return self._block(statement)
            case s.If(condition, then, other):
                chosen = where(condition, self._entry(then))
                # where no label of either will be met and control is not inside, the other branch does nothing
                return s.If(chosen, self._block(then), None if other is None else self._block(other), span)
            case s.While(condition, body):
                return s.While(where(condition, entry), self._block(body), span)
            case s.For(init, condition, step, body):
                if any(isinstance(first, s.Declare) for first in init):
                    raise Refused("CP0199", span, "a case label that passes over an initialiser")
                always = s.Literal(True, BOOL, span)
                test = where(always if condition is None else condition, entry)
                loop = s.For((), test, step, self._block(body), span)
                return s.Block((*self._run(list(init), in_front=False), loop), span)
            case s.DoWhile(body, condition):
                reached = s.Binary(s.BinaryOp.OR, inside, entry, BOOL, span)
                return s.If(reached, s.Block((s.DoWhile(self._block(body), condition, span),), span), None, span)
            case _:
                return statement  # a label
