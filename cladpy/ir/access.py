"""How C++ spells a member of an object: by its name where that finds it and may be used, by its place otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from cladpy.ir.types import Array, Field, Pointer, Scalar, Struct, Type, spell


@dataclass(frozen=True, slots=True)
class Access:
    """A way to a member. `{b}` in the text stands for the object that it begins at.

    Base classes, unnamed members and objects that are hidden have no text of their own: what is in them is looked for
    from `owner`, the class of the last object that has one, `offset` bytes into it. `name` is for values and roots."""

    owner: Type
    text: str = "{b}"
    offset: int = 0
    name: str = ""

    def member(self, field: Field) -> Access:
        offset = self.offset + field.offset
        if not field.name:
            return replace(self, offset=offset)
        name = f"{self.name}.{field.name}"
        if field.bits is not None or _finds(self.owner, field, offset):
            return Access(field.type, f"{self.text}.{field.name}", 0, name)
        if isinstance(field.type, Struct):
            return replace(self, offset=offset, name=name)
        return Access(field.type, f"cladpy::member<{_spelled(field.type)}, {offset}>({self.text})", 0, name)


def _spelled(type: Type) -> str:
    """The type of memory, which is an enumeration where values are integers."""
    return type.enum if isinstance(type, Scalar) and type.enum else spell(_stored(type))


def _stored(type: Type) -> Type:
    """The type without `__restrict__`, which compilers do not take in a template's argument."""
    match type:
        case Pointer(pointee, const):
            return Pointer(_stored(pointee), const)
        case Array(element, length):
            return Array(_stored(element), length)
        case _:
            return type


def _finds(owner: Type, field: Field, offset: int) -> bool:
    """Whether the name of a field finds it in `owner`, which has it at this offset, and not what hides it."""
    assert isinstance(owner, Struct)
    found = list(_called(owner, field.name, 0, False))
    return len(found) == 1 and found[0] == (offset, field.type, False)


def _called(owner: Struct, name: str, start: int, hidden: bool) -> Iterator[tuple[int, Type, bool]]:
    """What a name finds in a class: where it lies, its type, and whether it must not be used."""
    own = list(_own(owner, name, start, hidden))
    yield from own
    if own:
        return
    for base in owner.fields:
        if base.base and isinstance(base.type, Struct):
            yield from _called(base.type, name, start + base.offset, hidden or base.hidden)


def _own(owner: Struct, name: str, start: int, hidden: bool) -> Iterator[tuple[int, Type, bool]]:
    for field in owner.fields:
        if field.name == name:
            yield start + field.offset, field.type, hidden or field.hidden
        elif not field.name and not field.base and isinstance(field.type, Struct):
            yield from _own(field.type, name, start + field.offset, hidden or field.hidden)


def through_pointer(text: str, pointer: str) -> str:
    """The text for the object that a pointer leads to."""
    if text.startswith("{b}."):
        return f"{pointer}->{text.removeprefix('{b}.')}"
    return text.replace("{b}", f"(*{pointer})")
