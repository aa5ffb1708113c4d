"""`new` and `delete` of host code, in terms of the C library's functions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cladpy.diagnostics import Span
from cladpy.frontend.constructors import stored
from cladpy.frontend.conversions import convert
from cladpy.frontend.kinds import CursorKind, TypeKind, is_expression
from cladpy.frontend.libclang import Cursor
from cladpy.frontend.refused import Refused
from cladpy.ir import surface as s
from cladpy.ir.symbols import FunctionKind, FunctionSymbol, Role, Symbol
from cladpy.ir.types import BOOL, ULONG, VOID, Pointer, Type, size_of, spell

if TYPE_CHECKING:
    from cladpy.frontend.functions import FunctionReader

_PLACEMENT = re.compile(rb"(?:::)?\s*new\s*(\(.*)?", re.DOTALL)


def read_new(cursor: Cursor, scope: FunctionReader, span: Span) -> s.Expr:
    """`new T`, `new T(value)` and `new T[count]`, with and without values."""
    if not scope.may_fail:
        raise Refused("CP0108", span)
    type = scope.types.convert(cursor.type, span)
    assert isinstance(type, Pointer)
    parts = [c for c in cursor.children() if is_expression(c.kind)]
    text = scope.files.spelled(cursor)
    head = _PLACEMENT.match(text)
    if head is None:
        raise Refused("CP0108", span)
    pointee = type.pointee
    if head[1] is not None:
        return _placed(parts, type, scope, span)
    if _is_array(text):
        sizes = [p for p in parts if p.type.canonical.kind == TypeKind.ULONG]
        count = convert(scope.statements.expressions.read(sizes[-1]), ULONG)
        given = parts[parts.index(sizes[-1]) + 1 :]
        if any(g.kind == CursorKind.INIT_LIST_EXPR for g in given):
            raise Refused("CP0199", span, "a list of values for new")
        constructed = scope.objects.default(pointee, span)
        if constructed is None:
            return _memory(scope, count, pointee, zeroed=bool(given), span=span)
        made = _maker(scope, type, (Symbol("count", ULONG, Role.PARAMETER, span),), constructed, span)
        return s.Call(made, (count,), type, span)
    if not parts and scope.objects.default(pointee, span) is None:
        return _memory(scope, s.Literal(1, ULONG, span), pointee, zeroed=False, span=span)
    value = scope.objects.initializer(parts[0], pointee) if parts else scope.objects.value(pointee, span)
    made = _maker(scope, type, (Symbol("value", pointee, Role.PARAMETER, span),), None, span)
    return s.Call(made, (value,), type, span)


def _placed(parts: list[Cursor], type: Pointer, scope: FunctionReader, span: Span) -> s.Expr:
    """`new (place) T(value)`: the object begins in memory that is there."""
    place = scope.statements.expressions.read(parts[0])
    if not isinstance(place.type, Pointer) or len(parts) > 2:
        raise Refused("CP0108", span)
    pointee = type.pointee
    given = scope.objects.initializer(parts[1], pointee) if len(parts) > 1 else scope.objects.value(pointee, span)
    name = "new_in_place"
    function = FunctionSymbol(name, f"{name}<{spell(pointee)}>", type, (type, pointee), FunctionKind.HOST, span)
    made = Symbol("made", type, Role.PARAMETER, span)
    value = Symbol("value", pointee, Role.PARAMETER, span)
    use = s.VarRef(made, type, span)
    body = s.Block((*stored(s.Deref(use, pointee, span), s.VarRef(value, pointee, span)), s.Return(use, span)), span)
    scope.program.functions[function] = s.Function(function, (made, value), body, span)
    return s.Call(function, (s.Cast(place, type, span), given), type, span)


def read_delete(cursor: Cursor, scope: FunctionReader, span: Span) -> s.Expr:
    if not scope.may_fail:
        raise Refused("CP0108", span)
    pointer = scope.statements.expressions.read(next(c for c in cursor.children() if is_expression(c.kind)))
    if not isinstance(pointer.type, Pointer):
        raise Refused("CP0108", span)
    destructor = scope.program.specials.destructor(pointer.type.pointee)
    if destructor is None:
        return _released(scope, pointer, span)
    if destructor.is_virtual or _is_array(scope.files.spelled(cursor)):
        raise Refused("CP0131", span, f"'{destructor.spelling}'")
    return s.Call(_deleter(scope, pointer.type, span), (pointer,), VOID, span)


def _released(scope: FunctionReader, pointer: s.Expr, span: Span) -> s.Expr:
    free = scope.program.c_function("free", VOID, (Pointer(VOID),))
    return s.Call(free, (s.Cast(pointer, Pointer(VOID), span),), VOID, span)


def read_end(object: s.Expr, scope: FunctionReader, span: Span) -> s.Expr:
    """`object.~T()`."""
    type = Pointer(object.type)
    address = object.operand if isinstance(object, s.Deref) else s.AddressOf(object, type, span)
    return s.Call(_deleter(scope, type, span, releases=False), (address,), VOID, span)


def _deleter(scope: FunctionReader, type: Pointer, span: Span, *, releases: bool = True) -> FunctionSymbol:
    """A function that destroys an object, if there is one, and releases its memory."""
    name = "delete_object" if releases else "end_object"
    function = FunctionSymbol(name, f"{name}<{spell(type.pointee)}>", VOID, (type,), FunctionKind.HOST, span)
    object = Symbol("object", type, Role.PARAMETER, span)
    use = s.VarRef(object, type, span)
    calls = scope.destructors.call(s.Deref(use, type.pointee, span), span)
    released = (s.Evaluate(_released(scope, use, span), span),) if releases else ()
    done = s.Block((*(s.Evaluate(c, span) for c in calls), *released), span)
    there = s.Binary(s.BinaryOp.NE, use, s.Literal(0, type, span), BOOL, span)
    body = s.Block((s.If(there, done, None, span),), span)
    scope.program.functions[function] = s.Function(function, (object,), body, span)
    return function


def read_variable_length(cursor: Cursor, type: Pointer, scope: FunctionReader, span: Span) -> s.Expr:
    """Memory for the array that a declaration says the length of when it runs."""
    if not scope.may_fail:
        raise Refused("CP0115", span)
    length = next(c for c in cursor.children() if is_expression(c.kind))
    count = convert(scope.statements.expressions.read(length), ULONG)
    return _memory(scope, count, type.pointee, zeroed=False, span=span)


def _memory(scope: FunctionReader, count: s.Expr, element: Type, *, zeroed: bool, span: Span) -> s.Expr:
    """Memory for objects of a type; zero where they are given no value."""
    size = s.Literal(size_of(element), ULONG, span)
    void = Pointer(VOID)
    if zeroed:
        call = s.Call(scope.program.c_function("calloc", void, (ULONG, ULONG)), (count, size), void, span)
    else:
        bytes: s.Expr = s.Binary(s.BinaryOp.MUL, count, size, ULONG, span)
        if isinstance(count, s.Literal):
            bytes = s.Literal(int(count.value) * size_of(element), ULONG, span)
        call = s.Call(scope.program.c_function("malloc", void, (ULONG,)), (bytes,), void, span)
    return s.Cast(call, Pointer(element), span)


def _maker(
    scope: FunctionReader, type: Pointer, parameters: tuple[Symbol, ...], constructed: s.Expr | None, span: Span
) -> FunctionSymbol:
    """A function that makes an object from its value, or a number of them that are all made in the same way."""
    types = tuple(p.type for p in parameters)
    name = f"new_{'objects' if constructed is not None else 'object'}"
    function = FunctionSymbol(name, f"{name}<{spell(type.pointee)}>", type, types, FunctionKind.HOST, span)
    made = Symbol("made", type, Role.VARIABLE, span)
    use = s.VarRef(made, type, span)
    given = s.VarRef(parameters[0], types[0], span)
    count: s.Expr = given if constructed is not None else s.Literal(1, ULONG, span)
    body: list[s.Stmt] = [s.Declare(made, _memory(scope, count, type.pointee, zeroed=False, span=span), span)]
    if constructed is None:
        body += stored(s.Deref(use, type.pointee, span), given)
    else:
        counter = Symbol("i", ULONG, Role.VARIABLE, span)
        at = s.VarRef(counter, ULONG, span)
        each = s.Block(tuple(stored(s.Index(use, at, type.pointee, span), constructed)), span)
        below = s.Binary(s.BinaryOp.LT, at, given, BOOL, span)
        first = s.Declare(counter, s.Literal(0, ULONG, span), span)
        body.append(s.For((first,), below, s.IncDec(at, 1, True, ULONG, span), each, span))
    body.append(s.Return(use, span))
    scope.program.functions[function] = s.Function(function, parameters, s.Block(tuple(body), span), span)
    return function


def _is_array(text: bytes) -> bool:
    """Whether a bracket follows the type, and no parenthesis or brace comes before it."""
    depth = 0
    for letter in text.decode("latin-1"):
        depth += {"<": 1, ">": -1}.get(letter, 0)
        if depth == 0 and letter in "[({;":
            return letter == "["
    return False
