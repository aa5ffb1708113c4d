"""Structured bindings: names for the elements of an array, or of a tuple, or the members of a class."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from cladpy.diagnostics import Span
from cladpy.frontend.kinds import is_expression
from cladpy.frontend.libclang import Cursor
from cladpy.frontend.objects import select
from cladpy.frontend.refused import Refused
from cladpy.frontend.types import is_const
from cladpy.ir.surface import Declare, Expr, Index, Literal, Temporary, VarRef
from cladpy.ir.surface_rules import is_lvalue
from cladpy.ir.symbols import Role, Symbol
from cladpy.ir.types import INT, Array, Reference, Struct, Type, strip_reference

if TYPE_CHECKING:
    from cladpy.frontend.functions import FunctionReader

_ARRAY = re.compile(r"(?:cuda::)?std::(?:__\w+::)*array<")
# The base class that holds an element of a tuple: of libstdc++'s, of CUDA's and of cladpy's for Thrust.
_LEAF = re.compile(r"(?:\w+::)*(?:_Head_base|__tuple_leaf|cladpy_leaf)<(\d+)")


def read_bindings(cursor: Cursor, span: Span, scope: FunctionReader) -> Declare:
    """The variable that the names are parts of. Raises Refused for classes that are not taken apart by member."""
    names = [c for c in cursor.children() if c.kind == 1]
    source = [c for c in cursor.children() if is_expression(c.kind)]
    if len(source) != 1:
        raise Refused("CP0199", span, "a structured binding")
    type = scope.types.convert(cursor.type, span)
    init: Expr
    if isinstance(type, Reference):
        init = scope.objects.bind(scope.statements.expressions.read(source[0]), type, span)
        if not is_lvalue(init) or isinstance(init, Temporary):
            init, type = init.operand if isinstance(init, Temporary) else init, type.referee
    elif isinstance(type, Array):
        inner = [c for c in source[0].children() if is_expression(c.kind)]  # behind it stands the copy of an element
        init = scope.objects.copy_of(scope.statements.expressions.read(inner[0] if inner else source[0]), span)
    else:
        init = scope.statements.expressions.initializer(source[0], type)
    name = "_".join(c.spelling for c in names)
    symbol = Symbol(name, type, Role.VARIABLE, span, const=is_const(cursor.type.canonical))
    whole = VarRef(symbol, strip_reference(type), span)
    part = _parts(whole, whole.type, len(names), span)
    for i, binding in enumerate(names):
        scope.alias(binding, part(i))
    scope.destructors.declared(symbol, span)
    return Declare(symbol, init, span)


def _parts(whole: Expr, type: Type, count: int, span: Span) -> Callable[[int], Expr]:
    """The elements, or the members of a class or of its only base that has any."""
    elements = _elements(whole, type, span) if isinstance(type, Struct) else {}
    if len(elements) == count:
        return elements.__getitem__
    while isinstance(type, Struct):
        members = [f for f in type.fields if not f.base]
        if len(members) == 1 and _ARRAY.match(type.spelling):
            whole, type = select(whole, members[0], span), members[0].type
            break
        if len(members) == count and all(f.name for f in members):
            inside = whole
            return lambda i: select(inside, members[i], span)
        bases = [f for f in type.fields if f.base]
        if members or len(bases) != 1:
            break
        whole = select(whole, bases[0], span)
        type = bases[0].type
    if isinstance(type, Array) and type.length == count:
        element = type.element
        return lambda i: Index(whole, Literal(i, INT, span), element, span)
    raise Refused("CP0199", span, "a structured binding of this class")


def _elements(whole: Expr, type: Struct, span: Span) -> dict[int, Expr]:
    """Those of a tuple, each of which is the member of a base."""
    found: dict[int, Expr] = {}
    for field in type.fields:
        if field.base and isinstance(field.type, Struct):
            part, leaf = select(whole, field, span), _LEAF.match(field.type.spelling)
            found |= (
                {int(leaf[1]): select(part, field.type.fields[0], span)} if leaf else _elements(part, field.type, span)
            )
    return found
