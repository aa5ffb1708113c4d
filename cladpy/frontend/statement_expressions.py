"""`({ ...; value; })`, GNU's statements as an expression: a call of a function of its own, which is given references to
the variables outside that it names.

What stands in it must not leave what stands around it: a `return` would leave the one function where it is to leave
the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cladpy.diagnostics import Span
from cladpy.frontend.kinds import CursorKind, is_expression
from cladpy.frontend.lambdas import locals_named
from cladpy.frontend.libclang import Cursor
from cladpy.frontend.refused import Refused
from cladpy.ir.surface import Block, Call, Expr, Function, Literal, Stmt
from cladpy.ir.symbols import FunctionKind, FunctionSymbol
from cladpy.ir.types import Reference, Type, Void

if TYPE_CHECKING:
    from cladpy.frontend.functions import FunctionReader

_NAME = "statement_expression"
_LOOPS = (CursorKind.FOR_STMT, CursorKind.FOR_RANGE_STMT, CursorKind.WHILE_STMT, CursorKind.DO_STMT)
_JUMPS: dict[int, str] = {
    CursorKind.RETURN_STMT: "return",
    CursorKind.GOTO_STMT: "goto",
    CursorKind.INDIRECT_GOTO_STMT: "goto",
    CursorKind.BREAK_STMT: "break",
    CursorKind.CONTINUE_STMT: "continue",
}


def read_statement_expression(cursor: Cursor, span: Span, scope: FunctionReader) -> Expr:
    """Raises Refused where it is left other than by its end."""
    (body,) = (c for c in cursor.children() if c.kind == CursorKind.COMPOUND_STMT)
    for jump, place in _leaving(body, ()):
        raise Refused("CP0117", scope.files.span(place), jump)
    result = scope.types.convert(cursor.type, span)
    variables, uses_this = locals_named(body)
    named = [(v, scope.statements.expressions.variable(v, span)) for v in variables]
    lent = [(v, value) for v, value in named if not isinstance(value, Literal)]
    this = scope.this_pointer(span) if uses_this else None
    types: list[Type] = [] if this is None else [this.type]
    types += [Reference(value.type) for _, value in lent]
    kind = FunctionKind.DEVICE if scope.function.kind is FunctionKind.KERNEL else scope.function.kind
    function = FunctionSymbol(_NAME, _NAME, result, tuple(types), kind, span, unnamed=True)
    reader = scope.within(function)
    parameters = [] if this is None else [reader.lend_this(this, span)]
    parameters += [reader.lend(variable, value, span) for variable, value in lent]
    for variable, value in named:
        if isinstance(value, Literal):
            reader.alias(variable, value)
    statements = _statements(body, reader, result)
    scope.program.functions[function] = Function(
        function, tuple(parameters), Block((*reader.before, *statements), span), span
    )
    bound = [scope.objects.bind(value, Reference(value.type), span) for _, value in lent]
    return Call(function, (*(() if this is None else (this,)), *bound), result, span)


def _statements(body: Cursor, reader: FunctionReader, result: Type) -> list[Stmt]:
    """Its statements, of which the last gives its value."""
    children = body.children()
    last = children.pop() if not isinstance(result, Void) and is_expression(children[-1].kind) else None
    statements: list[Stmt] = []
    for child in children:
        statements += reader.statements.read(child)
    if last is not None:
        statements += reader.statements.read(last, as_result=True)
    return reader.destructors.leave(statements, reader.files.span(body))


def _leaving(cursor: Cursor, around: tuple[int, ...]) -> Iterator[tuple[str, Cursor]]:
    """The jumps out of what a statement expression is made of."""
    for child in cursor.children():
        kind = child.kind
        if kind == CursorKind.LAMBDA_EXPR:
            continue
        in_loop = any(k in _LOOPS for k in around)
        stays = (kind == CursorKind.BREAK_STMT and bool(around)) or (kind == CursorKind.CONTINUE_STMT and in_loop)
        if kind in _JUMPS and not stays:
            yield _JUMPS[kind], child
        else:
            yield from _leaving(child, (*around, kind) if kind in (*_LOOPS, CursorKind.SWITCH_STMT) else around)
