"""What the surface grammar's docstrings mean by "the same type" and by "an lvalue"."""

from __future__ import annotations

from cladpy.ir import surface as s
from cladpy.ir.types import Array, Pointer, Reference, Type


def same(left: Type, right: Type) -> bool:
    """Equal but for `restrict`."""
    return left == right or without_restrict(left) == without_restrict(right)


def without_restrict(type: Type) -> Type:
    """The type as two expressions' types are compared: `restrict` says something about a variable, not a value."""
    match type:
        case Pointer(pointee, const, _):
            return Pointer(without_restrict(pointee), const)
        case Reference(referee, const):
            return Reference(without_restrict(referee), const)
        case Array(element, length):
            return Array(without_restrict(element), length)
        case _:
            return type


def unqualified(type: Type) -> Type:
    """Without qualifiers, for comparing signatures."""
    match type:
        case Pointer(pointee):
            return Pointer(unqualified(pointee))
        case Reference(referee):
            return Reference(unqualified(referee))
        case _:
            return type


def is_lvalue(expr: s.Expr) -> bool:
    match expr:
        case s.VarRef() | s.Index() | s.Deref() | s.Assign() | s.CompoundAssign() | s.StringLiteral():
            return True
        case s.IncDec(prefix=prefix):
            return prefix
        case s.Conditional(then=then, other=other):
            return is_lvalue(then) and is_lvalue(other) and same(then.type, other.type)
        case s.Comma(right=right):
            return is_lvalue(right)
        case s.Member(base, field):
            return isinstance(field.type, Reference) or is_lvalue(base)
        case s.Temporary():
            return True
        case s.Call(callee=callee):
            return isinstance(callee.result, Reference)
        case _:
            return False
