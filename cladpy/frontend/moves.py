"""Copies of memory that the C++ library makes byte by byte, and what it clears so: loops over the elements, which keep
their type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cladpy.diagnostics import Span
from cladpy.frontend.constructors import stored
from cladpy.frontend.initializers import zero
from cladpy.ir import surface as s
from cladpy.ir.surface_rules import same
from cladpy.ir.symbols import FunctionKind, FunctionSymbol, Role, Symbol
from cladpy.ir.types import BOOL, ULONG, VOID, Pointer, Void, size_of, spell

if TYPE_CHECKING:
    from cladpy.frontend.functions import FunctionReader


def moved_elements(
    target: s.Expr, source: s.Expr, bytes: s.Expr, scope: FunctionReader, span: Span, *, whole: bool
) -> s.Expr | None:
    """What `std::copy` and its like call memmove for, and memcpy of device code; None where it is not known what lies
    there. The standard lets the ranges overlap in one direction only; libstdc++ counts the target of a backward copy
    from its end. `whole` says that these are whole elements, which is looked for otherwise."""
    to, from_ = _typed(target), _typed(source)
    if not (isinstance(to.type, Pointer) and isinstance(from_.type, Pointer)) or isinstance(to.type.pointee, Void):
        return None
    if not same(to.type.pointee, from_.type.pointee):
        return None
    is_backward = isinstance(to, s.Binary) and to.op is s.BinaryOp.SUB
    size = size_of(to.type.pointee)
    if not (whole or _counts_whole(bytes, size)):
        return None
    function = _mover(to.type, is_backward, scope, span)
    return s.Call(function, (to, s.Cast(from_, function.parameters[1], span), _count(bytes, size, span)), VOID, span)


def cleared_elements(target: s.Expr, value: s.Expr, bytes: s.Expr, scope: FunctionReader, span: Span) -> s.Expr | None:
    """What device code calls memset for; None where that is not zero, or not whole elements of what lies there."""
    to = _typed(target)
    if not isinstance(to.type, Pointer) or isinstance(to.type.pointee, Void):
        return None
    size = size_of(to.type.pointee)
    while isinstance(value, s.Cast):
        value = value.operand
    if not (isinstance(value, s.Literal) and value.value == 0 and _counts_whole(bytes, size)):
        return None
    function = _clearer(to.type, scope, span)
    return s.Call(function, (to, _count(bytes, size, span)), VOID, span)


def _counts_whole(bytes: s.Expr, size: int) -> bool:
    match bytes:
        case s.Literal(value):
            return int(value) % size == 0
        case s.Binary(s.BinaryOp.MUL, left, right):
            return _counts_whole(left, size) or _counts_whole(right, size)
        case s.Binary(s.BinaryOp.ADD | s.BinaryOp.SUB, left, right):
            return _counts_whole(left, size) and _counts_whole(right, size)
    return False


def _count(bytes: s.Expr, size: int, span: Span) -> s.Expr:
    """How many elements of a size there are in a number of bytes."""
    match bytes:
        case s.Binary(s.BinaryOp.MUL, s.Literal(value), count) | s.Binary(s.BinaryOp.MUL, count, s.Literal(value)) if (
            value == size
        ):
            return count
        case _:
            return s.Binary(s.BinaryOp.DIV, bytes, s.Literal(size, ULONG, span), ULONG, span)


def _typed(pointer: s.Expr) -> s.Expr:
    """A pointer before it was made one to void."""
    while isinstance(pointer, s.Cast) and isinstance(pointer.operand.type, Pointer):
        pointer = pointer.operand
    return pointer


def _mover(type: Pointer, is_backward: bool, scope: FunctionReader, span: Span) -> FunctionSymbol:
    element = type.pointee
    name = "move_backward" if is_backward else "move_forward"
    target = Symbol("target", type, Role.PARAMETER, span)
    source = Symbol("source", Pointer(element, const=True), Role.PARAMETER, span)
    count = Symbol("count", ULONG, Role.PARAMETER, span)
    counter = Symbol("i", ULONG, Role.VARIABLE, span)
    i = s.VarRef(counter, ULONG, span)
    at: s.Expr = i
    if is_backward:  # from the last element on
        last = s.Binary(s.BinaryOp.SUB, s.VarRef(count, ULONG, span), s.Literal(1, ULONG, span), ULONG, span)
        at = s.Binary(s.BinaryOp.SUB, last, i, ULONG, span)
    to, from_ = (s.Index(s.VarRef(p, p.type, span), at, element, span) for p in (target, source))
    return _for_each(name, (target, source, count), counter, stored(to, from_), scope, span)


def _clearer(type: Pointer, scope: FunctionReader, span: Span) -> FunctionSymbol:
    target = Symbol("target", type, Role.PARAMETER, span)
    count = Symbol("count", ULONG, Role.PARAMETER, span)
    counter = Symbol("i", ULONG, Role.VARIABLE, span)
    to = s.Index(s.VarRef(target, type, span), s.VarRef(counter, ULONG, span), type.pointee, span)
    return _for_each("clear", (target, count), counter, stored(to, zero(type.pointee, span)), scope, span)


def _for_each(
    name: str, parameters: tuple[Symbol, ...], counter: Symbol, each: list[s.Stmt], scope: FunctionReader, span: Span
) -> FunctionSymbol:
    """A function that does something for each number below its last parameter."""
    types = tuple(p.type for p in parameters)
    kind = FunctionKind.DEVICE if scope.on_device else FunctionKind.HOST
    assert isinstance(types[0], Pointer)
    full_name = f"{name}<{spell(types[0].pointee)}>"
    function = FunctionSymbol(name, full_name, VOID, types, kind, span, unnamed=True)
    i, count = s.VarRef(counter, ULONG, span), s.VarRef(parameters[-1], ULONG, span)
    first = s.Declare(counter, s.Literal(0, ULONG, span), span)
    below = s.Binary(s.BinaryOp.LT, i, count, BOOL, span)
    loop = s.For((first,), below, s.IncDec(i, 1, True, ULONG, span), s.Block(tuple(each), span), span)
    scope.program.functions[function] = s.Function(function, parameters, s.Block((loop,), span), span)
    return function
