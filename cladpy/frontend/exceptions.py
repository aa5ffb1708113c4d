"""Exceptions of host code as jumps to the handler.

`try { ... throw e; ... } catch (T t) { ... }` is read as

    int thrown = 0;
    switch (0) { default: ... { t = e; thrown = 1; break; } ... }
    if (thrown == 1) { ... }

(`jumps.py`). Behind a call of a function that throws (`escaping.py`) stands the same, for each of the places that it
may throw at:

    value = called(x, escaped, escaped_double);
    if (escaped == 3) { escaped = 0; t = escaped_double; thrown = 1; break; }

What no handler is known to take, and what is only reported and passed on to nobody, ends the gradient, as
`cladpy::fail`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cladpy.diagnostics import Span
from cladpy.frontend.conversions import convert
from cladpy.frontend.destructors import Around
from cladpy.frontend.escaping import Site, bare, caught, taken, throws_again
from cladpy.frontend.initializers import zero
from cladpy.frontend.jumps import Jumps, Leaving, compared, set_to
from cladpy.frontend.kinds import CursorKind, TypeKind, is_expression
from cladpy.frontend.libclang import ClangType, Cursor
from cladpy.frontend.library import ends_program
from cladpy.frontend.refused import Refused
from cladpy.ir import surface as s
from cladpy.ir.symbols import Role, Symbol
from cladpy.ir.types import ASIDE, INT, Scalar, Type, Void, strip_reference

if TYPE_CHECKING:
    from cladpy.frontend.functions import FunctionReader

_JUMPS = (CursorKind.RETURN_STMT, CursorKind.BREAK_STMT, CursorKind.CONTINUE_STMT)
_WRAPPERS = (CursorKind.UNEXPOSED_EXPR, CursorKind.PAREN_EXPR)
_MAKING = (*_WRAPPERS, CursorKind.THROW_EXPR, CursorKind.FUNCTIONAL_CAST_EXPR)


@dataclass(slots=True)
class _Handler:
    """`type` is None for `catch (...)`, `variable` where it catches no number: objects are text to a gradient."""

    body: Cursor
    type: ClangType | None
    declaration: Cursor | None
    is_by_reference: bool
    is_passed_on: bool  # it throws again what it has caught
    variable: Symbol | None = None
    sites: list[Site] = field(default_factory=list)  # what comes to it


@dataclass(slots=True)
class _Try:
    """A block that is being read."""

    handlers: list[_Handler]
    block: Leaving
    site: Symbol | None = None  # the number of the place that has thrown, where a handler throws again
    kept: dict[Scalar, Symbol] = field(default_factory=dict)  # and what was thrown, where that is a number


class _NotKnown(Exception):
    """Which handler takes what is thrown is not known, or none goes on with it."""


@dataclass(slots=True)
class Escape:
    """The parameters of a function by which it says what it has thrown, and the places that it leaves at."""

    number: Symbol
    values: dict[Scalar, Symbol]
    sites: tuple[Site, ...]

    @property
    def types(self) -> list[Type]:
        return [self.number.type, *(v.type for v in self.values.values())]


class Exceptions:
    """The blocks of one function that are tried where it is being read."""

    def __init__(self, scope: FunctionReader, jumps: Jumps) -> None:
        self._scope = scope
        self._jumps = jumps
        self._tried: list[_Try] = []  # the innermost last
        self._handling: list[tuple[_Try, _Handler]] = []  # the handlers that are being read

    def read(self, cursor: Cursor, span: Span) -> list[s.Stmt]:
        """A block that is tried, and its handlers. Raises Refused in device code."""
        if not self._scope.may_fail:
            raise Refused("CP0103", span)
        body, *catches = cursor.children()
        if not self._scope.program.escaping.happens_in(body):
            return [self._scope.statements.block(body)]
        tried = _Try([_handler(c) for c in catches], self._jumps.block("thrown", span))
        if any(h.is_passed_on for h in tried.handlers):
            tried.site = Symbol("site", INT, Role.VARIABLE, span)
        variables = list(self._variables(tried))
        self._tried.append(tried)
        try:
            with self._jumps.inside(tried.block):
                inside = self._scope.statements.block(body, Around.TRY)
        finally:
            self._tried.pop()
        passed_on = self._jumps.passed_on(span)
        if tried.block.broken is None and not any(h.sites for h in tried.handlers) and not passed_on:
            return [inside]
        kept = [*([] if tried.site is None else [tried.site]), *tried.kept.values()]
        before = [*variables, *(s.Declare(k, zero(k.type, span), span) for k in kept)]
        found = [*before, *self._jumps.whole(tried.block, inside, span), *self._handled(tried, span)]
        return [s.Block((*found, *passed_on), span)]

    def _variables(self, tried: _Try) -> Iterator[s.Stmt]:
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
            self._scope.alias(declaration, s.VarRef(symbol, type, span))
            if isinstance(type, Scalar):
                handler.variable = symbol
            yield s.Declare(symbol, None, span)

    def _handled(self, tried: _Try, span: Span) -> list[s.Stmt]:
        """The handlers that something comes to, the first before the others."""
        found: list[s.Stmt] = []
        for number, handler in reversed(list(enumerate(tried.handlers, 1))):
            if handler.sites:
                self._handling.append((tried, handler))
                try:
                    body = self._scope.statements.block(handler.body)
                finally:
                    self._handling.pop()
                other = s.Block(tuple(found), span) if found else None
                found = [s.If(tried.block.is_(s.BinaryOp.EQ, number, span), body, other, body.span)]
        return found

    # ---- calls ------------------------------------------------------------------------------------------------------

    def escaping(self, callee: Cursor) -> tuple[Site, ...]:
        """What a function throws that is called here, where this function or one that calls it may go on with that."""
        scope = self._scope
        if not (self._tried or scope.escape is not None) or not scope.may_fail or not scope.destructors.may_hoist:
            return ()
        return scope.program.escaping.leaving(callee)

    def variables(self, sites: tuple[Site, ...], span: Span) -> list[s.Expr]:
        """What such a function is given beside its arguments."""
        types = dict.fromkeys(site.scalar for site in sites if site.scalar is not None)
        return [
            s.VarRef(self._number(), INT, span),
            *(s.VarRef(self._value(type), type, span) for type in types),
        ]

    def behind(self, sites: tuple[Site, ...], span: Span) -> list[s.Stmt]:
        """What stands behind the call."""
        found: list[s.Stmt] = []
        for site in sites:
            value = None if site.scalar is None else s.VarRef(self._value(site.scalar), site.scalar, span)
            on = self._raised(site, value, span, is_escaped=True)
            if on is None:
                on = [s.Evaluate(self._scope.statements.expressions.failure(site.cursor, self._at(site)), span)]
            condition = compared(s.BinaryOp.EQ, self._number(), site.number, span)
            found.append(s.If(condition, s.Block(tuple(on), span), None, span))
        thrown = compared(s.BinaryOp.NE, self._number(), 0, span)
        return [s.If(thrown, s.Block(tuple(found), span), None, span)]

    def _at(self, site: Site) -> Span:
        return self._scope.files.span(site.cursor)

    def _number(self) -> Symbol:
        if self._scope.escape is not None:
            return self._scope.escape.number
        return self._local("escaped", INT)

    def _value(self, scalar: Scalar) -> Symbol:
        if self._scope.escape is not None and scalar in self._scope.escape.values:
            return self._scope.escape.values[scalar]
        return self._local(f"escaped_{scalar.kind.name.lower()}", scalar)

    def _local(self, name: str, type: Scalar) -> Symbol:
        known = self._scope.escaped.get(type if name != "escaped" else None)
        if known is None:
            span = self._scope.function.span
            known = Symbol(name, type, Role.VARIABLE, span)
            self._scope.escaped[type if name != "escaped" else None] = known
            self._scope.before.append(s.Declare(known, zero(type, span), span))
        return known

    # ---- jumps ------------------------------------------------------------------------------------------------------

    def thrown(self, cursor: Cursor, span: Span) -> list[s.Stmt] | None:
        """`throw e;` as a jump to the handler that takes it; None for another expression, and where nobody is known to
        go on with it."""
        while cursor.kind in _WRAPPERS and len(inner := cursor.children()) == 1:
            cursor = inner[0]
        if cursor.kind != CursorKind.THROW_EXPR or not self._scope.may_fail:
            return None
        site = self._scope.program.escaping.site(cursor)
        if site is None:
            return self._thrown_again(span)
        operands = [c for c in cursor.children() if is_expression(c.kind)]
        needed = self._takes_value(site)
        value = self._scope.statements.expressions.read(operands[0]) if needed else None
        return self._raised(site, value, span)

    def _thrown_again(self, span: Span) -> list[s.Stmt] | None:
        """`throw;` in a handler."""
        if not self._handling:
            return None
        tried, handler = self._handling[-1]
        found: list[s.Stmt] = []
        for site in handler.sites:
            variable = handler.variable
            if variable is None or not handler.is_by_reference:
                variable = None if site.scalar is None else tried.kept.get(site.scalar)
            value = None if variable is None else s.VarRef(variable, strip_reference(variable.type), span)
            on = self._raised(site, value, span)
            if on is None:
                on = [s.Evaluate(self._scope.statements.expressions.failure(site.cursor, self._at(site)), span)]
            assert tried.site is not None
            condition = compared(s.BinaryOp.EQ, tried.site, site.number, span)
            found.append(s.If(condition, s.Block(tuple(on), span), None, span))
        return found

    def _takes_value(self, site: Site) -> bool:
        """Whether anybody asks for the number that is thrown."""
        try:
            found = self._taken(site.type)
        except _NotKnown:
            return False
        if found is None:
            return site.scalar is not None and self._leaves(site)
        tried, number = found
        return tried.handlers[number - 1].variable is not None or (tried.site is not None and site.scalar is not None)

    def _leaves(self, site: Site) -> bool:
        return self._scope.escape is not None and site in self._scope.escape.sites

    def _raised(self, site: Site, value: s.Expr | None, span: Span, *, is_escaped: bool = False) -> list[s.Stmt] | None:
        """On to the handler that takes what a place throws, or out of the function; None where that is not known.
        `is_escaped`: it comes from a function that was called."""
        try:
            found = self._taken(site.type)
        except _NotKnown:
            return None
        destructors = self._scope.destructors
        if found is None:
            if not self._leaves(site):
                return None
            out: list[s.Stmt] = []
            if site.scalar is not None and value is not None and not is_escaped:
                out.append(set_to(self._value(site.scalar), convert(value, site.scalar), span))
                out = destructors.complete(out, span)
            if not is_escaped:
                out.append(set_to(self._number(), s.Literal(site.number, INT, span), span))
            result = self._scope.result
            left = s.Return(None if isinstance(result, Void) else zero(result, span), span)
            return [*out, *destructors.before_jump((Around.FUNCTION,), span), left]
        tried, number = found
        handler = tried.handlers[number - 1]
        assigned: list[s.Stmt] = []
        if value is not None and tried.site is not None and site.scalar is not None:
            kept = tried.kept.setdefault(site.scalar, Symbol("kept", site.scalar, Role.VARIABLE, span))
            assigned.append(set_to(kept, convert(value, site.scalar), span))
            value = s.VarRef(kept, site.scalar, span)
        if value is not None and handler.variable is not None:
            assigned.append(set_to(handler.variable, convert(value, handler.variable.type), span))
        statements = assigned if is_escaped else destructors.complete(assigned, span)  # temporaries end before the jump
        if is_escaped:
            statements.append(set_to(self._number(), s.Literal(0, INT, span), span))
        if tried.site is not None:
            statements.append(set_to(tried.site, s.Literal(site.number, INT, span), span))
        if site not in handler.sites:
            handler.sites.append(site)
        return [*statements, *self._jumps.stop(tried.block, number, span)]

    def _taken(self, type: ClangType) -> tuple[_Try, int] | None:
        """The block and the number of the handler that what is thrown comes to; None where no handler here takes it.
        Raises _NotKnown."""
        thrown = bare(type)
        for depth, tried in reversed(list(enumerate(self._tried))):
            for number, handler in enumerate(tried.handlers, 1):
                takes = taken(handler.type, thrown)
                last = depth == 0 and self._scope.escape is None
                if takes is None or (takes and last and self._only_reports(handler)):
                    raise _NotKnown
                if takes:
                    return tried, number
        return None

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
        return last.kind == CursorKind.THROW_EXPR or (last.kind == CursorKind.CALL_EXPR and ends_program(last.spelling))


def _handler(cursor: Cursor) -> _Handler:
    *declared, body = cursor.children()
    declaration = next((c for c in declared if c.kind == CursorKind.VAR_DECL), None)
    by_reference = declaration is not None and declaration.type.canonical.kind == TypeKind.LVALUE_REFERENCE
    return _Handler(body, caught(cursor), declaration, by_reference, throws_again(body))


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
