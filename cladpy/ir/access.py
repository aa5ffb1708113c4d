"""How C++ spells a member of an object: by its name where that finds it and may be used, by its place otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from cladpy.ir.types import Array, Field, Pointer, Scalar, Struct, Type, size_of, spell

# In the place of a reader: of members that are in variables only, since no memory has room for them.
NOWHERE = "?"


@dataclass(frozen=True, slots=True)
class Access:
    """A way to a member. `{b}` in the text stands for the object that it begins at.

    Base classes, unnamed members and objects that are hidden have no text of their own: what is in them is looked for
    from `owner`, the class of the last object that has one, `offset` bytes into it. `name` is for values and roots.
    `given` says that the object is one that the compiler has made: in the memory of the function's own all lies as it
    is read here."""

    owner: Type
    text: str = "{b}"
    offset: int = 0
    name: str = ""
    given: bool = False

    def member(self, field: Field) -> Access:
        """Raises Unreadable."""
        offset = self.offset + field.offset
        if not field.name:
            return replace(self, offset=offset)
        name = f"{self.name}.{field.name}"
        if self.given and field.reader is not None:
            return self._asked(field, field.reader, name)
        if field.bits is not None or _finds(self.owner, field, offset):
            return replace(self, owner=field.type, text=f"{self.text}.{field.name}", offset=0, name=name)
        if isinstance(field.type, Struct) and not (self.given and _is_read(field.type)):
            return replace(self, offset=offset, name=name)
        where = str(offset)
        if self.given and holds_read(self.owner):
            for library, what in _ELSEWHERE.items():
                if holds_read(self.owner, library):
                    raise Unreadable(name, f"it is not public, in a class with {what}", "make it public")
            where += f", {size_of(self.owner)}"  # to the compiler other members may lie elsewhere
        text = f"cladpy::member<{_spelled(field.type)}, {where}>({self.text})"
        return replace(self, owner=field.type, text=text, offset=0, name=name)

    def _asked(self, field: Field, reader: str, name: str) -> Access:
        """What a class of a library is asked for, whose members lie in another way than they are read."""
        called = reader.rpartition(".")[2].partition("(")[0]
        assert isinstance(self.owner, Struct)
        if not reader or list(_asking(self.owner, field, called, 0, False)) != [(self.offset, False)]:
            what = f"its vector's '{called or field.name}' is hidden, another's, or not there"
            raise Unreadable(self.name, what, "keep it in a public member; for flags take another integer")
        text = reader.replace("{b}", self.text)
        name = self.name if isinstance(field.type, Pointer) else name.removesuffix("_")
        return replace(self, owner=field.type, text=text, offset=0, name=name)


class Unreadable(Exception):
    """A member that the compiler cannot be asked for, where a library's class is another to it than it is read."""

    def __init__(self, name: str, what: str, instead: str) -> None:
        super().__init__(name)
        self.name, self.what, self.instead = name, what, instead


def _asking(owner: Struct, field: Field, called: str, start: int, hidden: bool) -> Iterator[tuple[int, bool]]:
    """Where the objects begin whose member function a name finds in `owner` and that have a field, and whether the name
    must not be used."""
    if field in owner.fields:
        yield start, hidden
    elif called in owner.record.methods:
        yield -1, True
    else:
        for base in owner.fields:
            if base.base and isinstance(base.type, Struct):
                yield from _asking(base.type, field, called, start + base.offset, hidden or base.hidden)


def _is_read(type: Struct) -> bool:
    """Whether the class is another to the compiler than it is read."""
    return any(f.reader is not None for f in type.fields)


# What lies in memory otherwise to the compiler, so that nothing beside it is found by its place.
_ELSEWHERE = {
    "thrust::": "vectors of Thrust, which lie otherwise to nvcc",
    "Kokkos::": "views, which lie otherwise to the compiler",
}


def holds_read(type: Type, of: str = "") -> bool:
    """Whether there are objects of such classes, `of` a library's namespace, in an object."""
    match type:
        case Array(element):
            return holds_read(element, of)
        case Struct(spelling, record=record):
            here = _is_read(type) and spelling.startswith(of)
            return here or any(holds_read(f.type, of) for f in record.fields)
        case _:
            return False


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
