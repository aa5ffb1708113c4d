"""Classes in the oracle's file: each is a block of bytes of the original's size, with a table of where tangents lie.

A member is reached by its offset, so that the layout is the original's whatever it is made of: base classes in each
other's padding, unions, packed and empty classes. No class depends on another's definition.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from cladpy.ir.types import (
    Array,
    Field,
    Pointer,
    Reference,
    Scalar,
    Struct,
    Type,
    declare,
    is_floating,
    is_integer,
    size_of,
)


def float_offsets(type: Type) -> tuple[int, ...]:
    """Where an object of this type has floating-point numbers, in bytes, ascending; what pointers lead to is no part of
    the object. Members of a union that lie on each other count once."""
    return _offsets(type, is_floating)


def cell_offsets(type: Type) -> tuple[int, ...]:
    """Where an object may have tangents: integers are copied with those of the numbers whose bits they are, as where
    memory is moved as `int4`."""
    return _offsets(type, lambda t: is_floating(t) or (is_integer(t) and size_of(t) >= 4))


def moved_halves(type: Type) -> Iterator[int]:
    """Where halves may lie that are copied as what the class has there, as where memory is moved as `float4`."""
    for size in (4, 8):
        for start in _all_offsets(type, lambda t: isinstance(t, Scalar) and size_of(t) == size, 0):  # noqa: B023
            yield from range(start, start + size, 2)


def moved_bytes(struct: Struct, unit: int) -> Iterator[int]:
    """Where numbers of so many bytes may lie in bytes that are aligned to them, as in std::aligned_storage."""
    if struct.record.alignment % unit == 0:
        every = _all_offsets(struct, lambda t: isinstance(t, Scalar) and size_of(t) == 1, 0)
        yield from (offset for offset in every if offset % unit == 0)


def _offsets(type: Type, wanted: Callable[[Type], bool]) -> tuple[int, ...]:
    return tuple(sorted(set(_all_offsets(type, wanted, 0))))


def _all_offsets(type: Type, wanted: Callable[[Type], bool], start: int) -> Iterator[int]:
    match type:
        case Struct(record=record):
            for field in record.fields:
                if field.bits is None:
                    yield from _all_offsets(field.type, wanted, start + field.offset)
        case Array(element, length):
            within = tuple(_all_offsets(element, wanted, 0))
            size = size_of(element) if within else 0
            for i in range(length if within else 0):
                yield from (start + i * size + offset for offset in within)
        case _:
            if wanted(type):
                yield start


def bit_positions(struct: Struct) -> dict[Field, int]:
    """The first bit of every bit-field, counted from the object's start: the next bit that is free, but no bit-field
    crosses the bounds of an object of its type. The fields' offsets say where unnamed ones have left a gap."""
    positions: dict[Field, int] = {}
    free = 0
    for field in struct.fields:
        if field.bits is None:
            free = 8 * (field.offset + size_of(field.type))
            continue
        unit = 8 * size_of(field.type)
        first = 0 if struct.record.is_union else free
        if first // unit != (first + field.bits - 1) // unit:
            first = (first // unit + 1) * unit
        if first // 8 != field.offset:
            first = 8 * field.offset
        positions[field] = first
        free = first + field.bits
    return positions


class Classes:
    """The classes that a program uses, by the names that the oracle's file has for them."""

    def __init__(self) -> None:
        self._own: dict[str, Struct] = {}  # by entity

    def own(self, type: Type) -> Type:
        """The type with every class in it spelt as in the oracle's file, enumerations as integers, without
        `__restrict__`, which is no part of a type that a member is found by."""
        match type:
            case Struct():
                return self._struct(type)
            case Pointer(pointee, const):
                return Pointer(self.own(pointee), const)
            case Reference(referee, const):
                return Reference(self.own(referee), const)
            case Array(element, length):
                return Array(self.own(element), length)
            case Scalar(kind):
                return Scalar(kind)
            case _:
                return type

    def _struct(self, type: Struct) -> Struct:
        if type.entity not in self._own:
            word = re.sub(r"\W+", "_", type.spelling).strip("_")[:40]
            name = f"{word or 'unnamed'}_s{len(self._own)}"
            self._own[type.entity] = replace(type, spelling=name)
        return self._own[type.entity]

    def spell(self, type: Type) -> str:
        return declare(self.own(type), "")

    def declare(self, type: Type, name: str) -> str:
        return declare(self.own(type), name)

    def definitions(self, *, halves: bool) -> str:
        """`halves` says that the program has numbers of sixteen bits, which larger ones may hold two or four of."""
        return "\n".join(_definition(struct, halves) for struct in self._own.values())


def _definition(struct: Struct, halves: bool) -> str:
    offsets = sorted(
        {*cell_offsets(struct), *(moved_halves(struct) if halves else ()), *moved_bytes(struct, 2 if halves else 4)}
    )
    size = struct.record.size
    return (
        f"struct alignas({struct.record.alignment}) {struct.spelling} {{ unsigned char bytes[{size}];"
        f" static constexpr std::size_t leaf_count = {len(offsets)};"
        f" static constexpr std::size_t leaf[] = {{{', '.join(map(str, offsets or (0,)))}}}; }};\n"
        f'static_assert(sizeof({struct.spelling}) == {size}, "layout");'
    )
