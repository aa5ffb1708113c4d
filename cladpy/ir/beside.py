"""The numbers beside the pointers of an object that is passed by value. Its adjoint is an object of the same class,
whose pointers lead to adjoints; of what such an object holds itself nothing comes back. So each of these members has an
adjoint parameter of its own, as an argument of the member's type would have."""

from __future__ import annotations

from dataclasses import dataclass, replace

from cladpy.ir.types import Array, Struct, Type, has_floating, holds_pointers


@dataclass(frozen=True, slots=True)
class Beside:
    """A member without pointers, in an object with some, or in one of those that it holds."""

    path: tuple[str, ...]  # the names that lead to it; none where others hide it
    name: str  # these as one word
    type: Type
    offset: int  # in the object, in bytes


def numbers_beside(type: Type) -> tuple[Beside, ...]:
    """The members with floating-point numbers, in order; none of a type without pointers. Objects with pointers in
    arrays have none either."""
    if not isinstance(type, Struct) or not holds_pointers(type):
        return ()
    found = list(_members(type, (), 0))
    visible = {b.path: b for b in found}  # the last one: the members of a class come after those of its bases
    return tuple(b if visible[b.path] is b else replace(b, path=()) for b in found)


def _members(type: Struct, path: tuple[str, ...], start: int) -> list[Beside]:
    found: list[Beside] = []
    for field in type.fields:
        inner = field.type
        offset = start + field.offset
        here = (*path, field.name) if field.name else path
        if field.nondifferentiable or (isinstance(inner, Struct) and inner.record.is_union):
            continue
        # what has no name, or one that must not be used, is looked into
        if isinstance(inner, Struct) and (holds_pointers(inner) or not field.name or field.hidden):
            found += _members(inner, here, offset)
        elif not holds_pointers(inner) and has_floating(inner):
            found.append(Beside(here, "_".join(here), inner, offset))
    return found


def without_extents(type: Type) -> Type:
    """What the adjoint of a member points to: of an array, to its first element."""
    while isinstance(type, Array):
        type = type.element
    return type
