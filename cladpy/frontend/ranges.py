"""Range-based for: over an array as a loop over an index, over a class by what its `begin()` gives: a pointer, or an
object whose class has the operators as members."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cladpy.diagnostics import Span
from cladpy.frontend.destructors import Around
from cladpy.frontend.kinds import CursorKind, is_expression
from cladpy.frontend.libclang import Cursor
from cladpy.frontend.refused import AlreadyReported, Refused
from cladpy.ir import surface as s
from cladpy.ir.surface_rules import is_lvalue
from cladpy.ir.symbols import Role, Symbol
from cladpy.ir.types import BOOL, INT, Array, Pointer, Reference, Struct, Type, strip_reference

if TYPE_CHECKING:
    from cladpy.frontend.functions import FunctionReader

_BINDING = 1


def read_range_for(cursor: Cursor, span: Span, scope: FunctionReader) -> list[s.Stmt]:
    """The loop, in a block of its own where it needs variables. Raises Refused for iterators without operators."""
    children = cursor.children()
    before: list[s.Stmt] = []
    scope.destructors.enter(Around.BLOCK)
    if children[0].kind == CursorKind.DECL_STMT:
        before += scope.statements.read(children.pop(0))
    variable, source, body = children
    iterator = _named(variable, "__begin")
    if iterator is None:
        raise Refused("CP0119", span)
    value = scope.statements.expressions.read(source)
    if not isinstance(value, s.VarRef):
        value = _kept(value, "range", before, span, scope)
    if isinstance(value.type, Array):
        loop = _over_array(value, value.type, iterator, variable, body, scope, span)
    else:
        loop = _over_class(value, iterator, variable, body, scope, before, span)
    statements = scope.destructors.leave([*before, loop], span)
    return [s.Block(tuple(statements), span)] if len(statements) > 1 else statements


def _kept(value: s.Expr, name: str, before: list[s.Stmt], span: Span, scope: FunctionReader) -> s.Expr:
    """The value of an expression that is evaluated once, before the loop."""
    lasting = is_lvalue(value) and not isinstance(value, s.Temporary)
    type: Type = Reference(value.type) if lasting else value.type
    init = value.operand if isinstance(value, s.Temporary) else value
    symbol = Symbol(name, type, Role.VARIABLE, span)
    before.append(s.Declare(symbol, init, span))
    scope.destructors.declared(symbol, span)
    return s.VarRef(symbol, value.type, span)


def _over_array(
    array: s.Expr, type: Array, iterator: Cursor, variable: Cursor, body: Cursor, scope: FunctionReader, span: Span
) -> s.Stmt:
    counter = Symbol("i", INT, Role.VARIABLE, span)
    use = s.VarRef(counter, INT, span)
    element = s.Index(array, use, type.element, span)
    scope.alias(iterator, s.AddressOf(element, Pointer(type.element), span))
    condition = s.Binary(s.BinaryOp.LT, use, s.Literal(type.length, INT, span), BOOL, span)
    first = s.Declare(counter, s.Literal(0, INT, span), span)
    return s.For((first,), condition, s.IncDec(use, 1, True, INT, span), _body(variable, body, scope), span)


def _over_class(
    range: s.Expr,
    iterator: Cursor,
    variable: Cursor,
    body: Cursor,
    scope: FunctionReader,
    before: list[s.Stmt],
    span: Span,
) -> s.Stmt:
    start = iterator.initializer
    while start is not None and start.kind != CursorKind.CALL_EXPR:
        inner = [c for c in start.children() if is_expression(c.kind)]
        start = inner[0] if len(inner) == 1 else None
    named = _named(start, "__range") if start is not None else None
    if start is None or named is None or start.referenced.kind != CursorKind.CXX_METHOD:
        raise Refused("CP0119", span)
    scope.alias(named, range)
    begin = start.referenced
    ends = [m for m in begin.parent.type.methods if m.spelling == "end" and m.is_const_method == begin.is_const_method]
    first = scope.statements.expressions.read(start)
    if len(ends) != 1 or not isinstance(first, s.Call) or not isinstance(first.type, Pointer | Struct):
        raise Refused("CP0119", span)
    stop = scope.program.symbol(ends[0], span)
    last = s.Call(stop, (first.arguments[0],), strip_reference(stop.result), span)
    end = _kept(last, "end", before, span, scope)
    at = Symbol("at", first.type, Role.VARIABLE, span)
    use = s.VarRef(at, first.type, span)
    scope.alias(iterator, use)
    condition: s.Expr = s.Binary(s.BinaryOp.NE, use, end, BOOL, span)
    step: s.Expr = s.IncDec(use, 1, True, first.type, span)
    if isinstance(first.type, Struct):
        condition = _called("operator!=", iterator, use, (end,), scope, span)
        step = _called("operator++", iterator, use, (), scope, span)
    return s.For((s.Declare(at, first, span),), condition, step, _body(variable, body, scope), span)


def _called(
    name: str, iterator: Cursor, use: s.Expr, others: tuple[s.Expr, ...], scope: FunctionReader, span: Span
) -> s.Expr:
    """A member function of an iterator's class, which clang calls without showing it."""
    found = [
        m
        for m in iterator.type.canonical.methods
        if m.spelling == name and len(m.type.parameters) == len(others) and not m.is_deleted
    ]
    if len(found) != 1 or found[0].is_virtual:
        raise Refused("CP0119", span)
    function = scope.program.symbol(found[0], span)
    passed = [scope.objects.passed(o, p, span) for o, p in zip(others, function.parameters[1:], strict=True)]
    whole = scope.objects.address(use, function.parameters[0], span)
    return s.Call(function, (whole, *passed), strip_reference(function.result), span)


def _body(variable: Cursor, body: Cursor, scope: FunctionReader) -> s.Block:
    scope.destructors.enter(Around.LOOP)
    if variable.kind == CursorKind.VAR_DECL:
        declared = scope.statements.declare(variable)
    else:
        declared = scope.statements.bindings(variable)
    rest = scope.statements.block(body)
    if declared is None:
        raise AlreadyReported
    return s.Block(tuple(scope.destructors.leave([declared, *rest.statements], rest.span)), rest.span)


def _named(cursor: Cursor, prefix: str) -> Cursor | None:
    """A variable of clang's own making that an expression uses."""
    if cursor.kind == CursorKind.DECL_REF_EXPR and cursor.spelling.startswith(prefix):
        return cursor.referenced
    for child in cursor.children():
        found = _named(child, prefix)
        if found is not None:
            return found
    return None
