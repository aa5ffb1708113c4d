"""Exceptions that a function throws and catches itself, as jumps to the handler.

`try { ... throw e; ... } catch (T t) { ... }` is read as

    int thrown = 0;
    switch (0) { default: ... { t = e; thrown = 1; break; } ... }
    if (thrown == 1) { ... }

with `if (thrown != 0) break;` behind the loops and switches on the way. What no handler of the function is known to
take, what another function throws, and what a handler only reports and passes on end the gradient, as `cladpy::fail`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cladpy.diagnostics import Span
from cladpy.frontend.conversions import convert
from cladpy.frontend.destructors import Around
from cladpy.frontend.kinds import CursorKind, TypeKind, is_expression
from cladpy.frontend.libclang import ClangType, Cursor
from cladpy.frontend.library import ENDING
from cladpy.frontend.refused import Refused
from cladpy.ir.surface import (
    Assign,
    Binary,
    BinaryOp,
    Block,
    Break,
    Declare,
    Evaluate,
    Expr,
    If,
    Literal,
    Stmt,
    Switch,
    SwitchSection,
    VarRef,
)
from cladpy.ir.symbols import Role, Symbol
from cladpy.ir.types import ASIDE, BOOL, INT, Scalar

if TYPE_CHECKING:
    from cladpy.frontend.functions import FunctionReader

_JUMPS = (CursorKind.RETURN_STMT, CursorKind.BREAK_STMT, CursorKind.CONTINUE_STMT)
_WRAPPERS = (CursorKind.UNEXPOSED_EXPR, CursorKind.PAREN_EXPR)
_MAKING = (*_WRAPPERS, CursorKind.THROW_EXPR, CursorKind.FUNCTIONAL_CAST_EXPR)
_POINTERS = (TypeKind.POINTER, TypeKind.NULLPTR, TypeKind.CONSTANT_ARRAY)
_LEFT = -1  # what `thrown` is where a `break` leaves the block for a loop or switch around it
_AROUND = (Around.LOOP, Around.SWITCH, Around.TRY)


@dataclass(slots=True)
class _Handler:
    """`type` is None for `catch (...)`, `variable` where it catches no number: objects are text to a gradient."""

    body: Cursor
    type: ClangType | None
    declaration: Cursor | None
    variable: Symbol | None = None
    is_reached: bool = False

    def takes(self, thrown: ClangType) -> bool | None:
        """None where it is not known."""
        if self.type is None or _name(self.type) == _name(thrown):
            return True
        if TypeKind.POINTER in (self.type.kind, thrown.kind):
            return (
                None if self.type.kind in _POINTERS and thrown.kind in _POINTERS else False
            )  # one to another type is converted
        return any(_name(b.type.canonical) == _name(self.type) for b in _bases(thrown))


@dataclass(slots=True)
class _Try:
    """A block that is being read, `level` loops, switches and such blocks deep."""

    handlers: list[_Handler]
    thrown: Symbol
    level: int
    deepest: int = 0  # the level at which something is thrown that has not come to the block's own
    left_by: Cursor | None = None  # a `break` out of it

    def set(self, number: int, span: Span) -> Stmt:
        return Evaluate(Assign(VarRef(self.thrown, INT, span), Literal(number, INT, span), INT, span), span)

    def is_(self, op: BinaryOp, number: int, span: Span) -> Expr:
        return Binary(op, VarRef(self.thrown, INT, span), Literal(number, INT, span), BOOL, span)


class Exceptions:
    """The blocks of one function that are tried where it is being read."""

    def __init__(self, scope: FunctionReader) -> None:
        self._scope = scope
        self._tried: list[_Try] = []  # the innermost last
        self._level = 0

    def read(self, cursor: Cursor, span: Span) -> list[Stmt]:
        """A block that is tried, and its handlers. Raises Refused in device code."""
        if not self._scope.may_fail:
            raise Refused("CP0103", span)
        body, *catches = cursor.children()
        if not _throws(body):
            return [self._scope.statements.block(body)]
        tried = _Try([_handler(c) for c in catches], Symbol("thrown", INT, Role.VARIABLE, span), self._level)
        before = [*self._variables(tried), Declare(tried.thrown, Literal(0, INT, span), span)]
        self._tried.append(tried)
        self._level += 1
        try:
            inside = self._scope.statements.block(body, Around.TRY)
        finally:
            self._tried.pop()
            self._level -= 1
        passed_on = self._passed_on(span)
        if tried.left_by is None and not any(h.is_reached for h in tried.handlers) and not passed_on:
            return [inside]
        section = SwitchSection((None,), inside.statements, inside.span)
        found: list[Stmt] = [*before, Switch(Literal(0, INT, span), (section,), span)]
        if tried.left_by is not None:
            left = self._scope.statements.read(tried.left_by)
            found.append(If(tried.is_(BinaryOp.EQ, _LEFT, span), Block(tuple(left), span), None, span))
        found += self._handled(tried, span)
        return [Block((*found, *passed_on), span)]

    def _variables(self, tried: _Try) -> Iterator[Stmt]:
        """Declares what the handlers catch."""
        for handler in tried.handlers:
            declaration = handler.declaration
            if declaration is None or handler.type is None:
                continue
            span = self._scope.files.span(declaration)
            try:
                type = self._scope.types.convert(handler.type, span)
            except Refused as refused:
                self._scope.forget(declaration, refused)
                continue
            if not isinstance(type, Scalar) and type != ASIDE:
                self._scope.forget(declaration, Refused("CP0103", span))
                continue
            symbol = Symbol(declaration.spelling or "caught", type, Role.VARIABLE, span)
            self._scope.alias(declaration, VarRef(symbol, type, span))
            if isinstance(type, Scalar):
                handler.variable = symbol
            yield Declare(symbol, None, span)

    def _handled(self, tried: _Try, span: Span) -> list[Stmt]:
        """The handlers that something comes to, the first before the others."""
        found: list[Stmt] = []
        for number, handler in reversed(list(enumerate(tried.handlers, 1))):
            if handler.is_reached:
                body = self._scope.statements.block(handler.body)
                other = Block(tuple(found), span) if found else None
                found = [If(tried.is_(BinaryOp.EQ, number, span), body, other, body.span)]
        return found

    # ---- jumps ------------------------------------------------------------------------------------------------------

    def thrown(self, cursor: Cursor, span: Span) -> list[Stmt] | None:
        """`throw e;` as a jump to the handler that takes it; None for another expression, and where no handler of this
        function goes on with it."""
        while cursor.kind in _WRAPPERS and len(inner := cursor.children()) == 1:
            cursor = inner[0]
        if cursor.kind != CursorKind.THROW_EXPR or not self._tried:
            return None
        operands = [c for c in cursor.children() if is_expression(c.kind)]
        found = self._taken(operands[0].type) if operands else None
        if found is None:
            return None
        tried, number = found
        handler = tried.handlers[number - 1]
        statements: list[Stmt] = []
        if handler.variable is not None:
            variable = VarRef(handler.variable, handler.variable.type, span)
            value = convert(self._scope.statements.expressions.read(operands[0]), variable.type)
            assigned: list[Stmt] = [Evaluate(Assign(variable, value, variable.type, span), span)]
            statements += self._scope.destructors.complete(assigned, span)  # temporaries end before the jump
        handler.is_reached = True
        return [*statements, *self._stop(tried, number, span)]

    def _taken(self, type: ClangType) -> tuple[_Try, int] | None:
        """The block and the number of the handler that what is thrown comes to."""
        thrown = _bare(type)
        for depth, tried in reversed(list(enumerate(self._tried))):
            for number, handler in enumerate(tried.handlers, 1):
                takes = handler.takes(thrown)
                if takes is None or (takes and depth == 0 and self._only_reports(handler)):
                    return None
                if takes:
                    return tried, number
        return None

    def left(self, cursor: Cursor, span: Span) -> list[Stmt] | None:
        """A `break` that leaves the innermost block that is tried; None for another."""
        if not self._tried or self._tried[-1].level + 1 != self._level:
            return None
        self._tried[-1].left_by = cursor
        return self._stop(self._tried[-1], _LEFT, span)

    def _stop(self, tried: _Try, number: int, span: Span) -> list[Stmt]:
        tried.deepest = max(tried.deepest, self._level)
        return [tried.set(number, span), *self._scope.destructors.before_jump(_AROUND, span), Break(span)]

    def within(self, read: Callable[[Cursor, Span], list[Stmt]]) -> Callable[[Cursor, Span], list[Stmt]]:
        """A reader of loops, or of switches, that lets pass what is thrown inside."""

        def reader(cursor: Cursor, span: Span) -> list[Stmt]:
            self._level += 1
            try:
                statements = read(cursor, span)
            finally:
                self._level -= 1
            return [*statements, *self._passed_on(span)]

        return reader

    def _passed_on(self, span: Span) -> list[Stmt]:
        """Behind what has just been read: on to the blocks further out that something in there is thrown to."""
        found: list[Stmt] = []
        for tried in reversed(self._tried):
            if tried.deepest > self._level:
                tried.deepest = self._level if self._level > tried.level + 1 else 0
                on = (*self._scope.destructors.before_jump(_AROUND, span), Break(span))
                found.append(If(tried.is_(BinaryOp.NE, 0, span), Block(on, span), None, span))
        return found

    def _only_reports(self, handler: _Handler) -> bool:
        """Whether a handler ends by throwing again, or by ending the program."""
        statements = handler.body.children()
        waiting = list(statements)
        while waiting:
            here = waiting.pop()
            if here.kind in _JUMPS:
                return False
            waiting += here.children()
        if not statements:
            return False
        last = statements[-1]
        while last.kind in _WRAPPERS and len(inner := last.children()) == 1:
            last = inner[0]
        return last.kind == CursorKind.THROW_EXPR or (last.kind == CursorKind.CALL_EXPR and last.spelling in ENDING)


def _handler(cursor: Cursor) -> _Handler:
    *declared, body = cursor.children()
    declaration = next((c for c in declared if c.kind == CursorKind.VAR_DECL), None)
    return _Handler(body, None if declaration is None else _bare(declaration.type), declaration)


def _bare(type: ClangType) -> ClangType:
    """A type without reference and const; what is thrown is a copy."""
    canonical = type.canonical
    if canonical.kind in (TypeKind.LVALUE_REFERENCE, TypeKind.RVALUE_REFERENCE):
        canonical = canonical.pointee.canonical
    return canonical


def _name(type: ClangType) -> str:
    """Of a canonical type, whether it is const or not; of an array, that of the pointer that is thrown."""
    if type.kind == TypeKind.CONSTANT_ARRAY:
        return f"{type.element.spelling} *"
    return type.spelling if type.kind == TypeKind.POINTER else type.spelling.removeprefix("const ")


def _bases(type: ClangType) -> Iterator[Cursor]:
    """The public base classes, and theirs: what is caught by them."""
    for base in type.bases:
        if base.is_public:
            yield base
            yield from _bases(base.type.canonical)


def _throws(cursor: Cursor) -> bool:
    """Whether something is thrown in a block by itself, and not in a lambda."""
    waiting = [cursor]
    while waiting:
        here = waiting.pop()
        if here.kind == CursorKind.THROW_EXPR:
            return True
        if here.kind != CursorKind.LAMBDA_EXPR:
            waiting += here.children()
    return False


def thrown_text(cursor: Cursor) -> str:
    """What is thrown as text, or an object that is made of a text; empty for another expression."""
    texts: list[str] = []
    waiting = [cursor]
    while waiting:
        here = waiting.pop()
        made = here.kind == CursorKind.CALL_EXPR and here.referenced.kind == CursorKind.CONSTRUCTOR
        if here.kind == CursorKind.STRING_LITERAL:
            texts.append(here.spelling.removeprefix('"').removesuffix('"').replace('\\"', '"'))
        elif is_expression(here.kind) and not made and here.kind not in _MAKING:
            return ""  # the text is computed
        waiting += here.children()
    return texts[0] if len(texts) == 1 else ""
