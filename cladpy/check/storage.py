"""Which floating-point variables must lie in memory because a pointer or a reference may name them.

Every other floating-point scalar of the program becomes a pair of value and tangent; those here keep their own type and
have their tangents in the oracle's map, as arrays do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields

from cladpy.ir import surface as s
from cladpy.ir.symbols import Role, Space, Symbol
from cladpy.ir.types import Reference, Struct, Type, is_floating

Node = s.Expr | s.Stmt


def children(node: object) -> Iterator[object]:
    """The direct sub-nodes of a surface node, in order."""
    for f in fields(node):  # type: ignore[arg-type]
        value = getattr(node, f.name)
        if isinstance(value, s.Configuration):
            yield from value.expressions
        for item in value if isinstance(value, tuple) else (value,):
            if type(item).__module__ == s.__name__ and hasattr(item, "span"):
                yield item


def walk(node: object) -> Iterator[object]:
    """The node and everything below it; does not recurse, so depth costs nothing."""
    stack = [node]
    while stack:
        top = stack.pop()
        yield top
        stack.extend(reversed(list(children(top))))


def lvalue_roots(expr: s.Expr) -> Iterator[Symbol]:
    """The variables that an lvalue expression may stand for by name (not through a pointer or an element)."""
    match expr:
        case s.VarRef(symbol):
            yield symbol
        case s.Conditional(_, then, other):
            yield from lvalue_roots(then)
            yield from lvalue_roots(other)
        case s.Assign(target) | s.CompoundAssign(_, target) | s.IncDec(target):
            yield from lvalue_roots(target)
        case s.Comma(_, right):
            yield from lvalue_roots(right)
        case s.Index(base) | s.Member(base):
            yield from lvalue_roots(base)
        case _:
            return


def in_memory(program: s.Program) -> frozenset[Symbol]:
    """The variables that are named through an address or a reference somewhere."""
    found: set[Symbol] = set()
    for function in program.functions.values():
        found.update(filter(_own_storage, function.parameters))
        returns_reference = isinstance(function.symbol.result, Reference)
        for node in walk(function.body):
            if isinstance(node, s.Return):
                if returns_reference and node.value is not None:
                    found.update(lvalue_roots(node.value))
            else:
                found.update(_named_by(node))
    return frozenset(found)


def _named_by(node: object) -> Iterator[Symbol]:
    """The variables that this node alone, not those below it, puts into memory."""
    match node:
        case s.VarRef(symbol) if _own_storage(symbol):
            yield symbol
        case s.Declare(symbol, init):
            if _own_storage(symbol):
                yield symbol
            if isinstance(symbol.type, Reference) and init is not None:
                yield from lvalue_roots(init)
        case s.AddressOf(operand) | s.Bind(referred=operand):
            yield from lvalue_roots(operand)
        case s.Assign(target) | s.CompoundAssign(_, target) | s.IncDec(target):
            if not isinstance(target, s.VarRef):
                # `(c ? x : a[i]) = y`: both arms must be stored to in the same way
                yield from lvalue_roots(target)
        case s.Call(callee, arguments):
            yield from _referred(callee.parameters, arguments)
        case s.Construct(constructor, arguments):
            yield from _referred(constructor.parameters[1:], arguments)
        case s.InitList(elements, Struct() as type):
            yield from _referred([f.type for f in type.fields], elements)
        case _:
            return


def _referred(types: Sequence[Type], values: Sequence[s.Expr]) -> Iterator[Symbol]:
    """The variables that references are bound to."""
    for type, value in zip(types, values, strict=False):
        if isinstance(type, Reference):
            yield from lvalue_roots(value)


def _own_storage(symbol: Symbol) -> bool:
    """References, and whatever threads share, are memory whatever is done with them."""
    return isinstance(symbol.type, Reference) or symbol.space is not Space.LOCAL or symbol.role is Role.GLOBAL


def is_pair(symbol: Symbol, memory: frozenset[Symbol]) -> bool:
    """Whether the variable is emitted as a pair of value and tangent."""
    return is_floating(symbol.type) and symbol not in memory
