"""The memory of one run of the oracle: private copies of the arguments, and beside them their tangents.

An argument is what the runtime takes: a number, an array, a structured array for objects of a class, a mapping for an
object that holds pointers, a list for a pointer to pointers. Values and tangents are given back in the same form;
tangents are long doubles, and what has none (integers, null pointers) is left out of structures and mappings.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from cladpy.check.classes import float_offsets
from cladpy.diagnostics import ArgumentTypeError
from cladpy.ir.types import (
    Array,
    Opaque,
    Pointer,
    Reference,
    Scalar,
    Struct,
    Type,
    holds_pointers,
    size_of,
    spell,
    strip_reference,
    vector_in,
)
from cladpy.ir.views import described, view_class, words_of
from cladpy.runtime.scalars import bfloat16_bits, is_floating_dtype
from cladpy.runtime.structs import dtype_of, members_of, uniform_scalar

Numbers = npt.NDArray[Any]
_ALIGNMENT = 64


class Region(ctypes.Structure):
    """`region` of shadow.h."""

    _fields_ = (
        ("begin", ctypes.c_void_p),
        ("count", ctypes.c_size_t),
        ("stride", ctypes.c_size_t),
        ("offsets", ctypes.c_void_p),
        ("leaves", ctypes.c_size_t),
        ("cells", ctypes.c_void_p),
    )


class Block:
    """`count` objects of a type one after the other: their bytes, and of each the tangents of its floating-point
    numbers with the magnitudes of what they are sums of."""

    def __init__(self, type: Type, count: int) -> None:
        self.size = size_of(type)
        memory = np.zeros(self.size * count + _ALIGNMENT, np.uint8)
        start = -memory.ctypes.data % _ALIGNMENT
        self.bytes = memory[start : start + self.size * count]
        self.count = count
        self.offsets = np.array(float_offsets(type), dtype=np.uintp)
        self.columns = {int(offset): i for i, offset in enumerate(self.offsets)}
        self.cells = np.zeros((count, len(self.offsets), 2), dtype=np.longdouble)

    @property
    def address(self) -> int:
        return int(self.bytes.ctypes.data)

    def region(self) -> Region:
        offsets, cells = self.offsets.ctypes.data, self.cells.ctypes.data
        return Region(self.address, self.count, self.size, offsets, len(self.offsets), cells)


class Operand(Protocol):
    """What was made of a value that the caller gave."""

    def value(self) -> Any:
        """What it holds, in the form that was given."""

    def tangents(self, column: int) -> Any:
        """Its tangents (column 0) or their magnitudes (1), in the form that was given."""


@dataclass(frozen=True, slots=True)
class Null:
    """A null pointer."""

    def value(self) -> None:
        return None

    def tangents(self, column: int) -> None:
        return None


@dataclass(frozen=True, slots=True)
class Plain:
    """Objects without pointers, from byte `start` of each of the block's elements on: an array, or one number or
    structured scalar where the shape is ()."""

    block: Block
    start: int
    dtype: np.dtype[Any]  # of the objects
    given: np.dtype[Any]  # as which they are shown
    shape: tuple[int, ...]

    def value(self) -> Numbers:
        size = self.dtype.itemsize
        rows = self.block.bytes.reshape(self.block.count, self.block.size)[:, self.start : self.start + size]
        return np.ascontiguousarray(rows).reshape(-1).view(self.given).reshape(self.shape)

    def fill(self, values: Numbers) -> None:
        rows = self.block.bytes.reshape(self.block.count, self.block.size)
        packed = np.ascontiguousarray(values).reshape(-1).view(np.uint8)
        rows[:, self.start : self.start + self.dtype.itemsize] = packed.reshape(self.block.count, self.dtype.itemsize)

    def tangents(self, column: int) -> Numbers:
        if self.given.names is None:
            flat = np.ascontiguousarray(self.block.cells[:, self._columns(), column]).reshape(-1)
            return (flat.view(np.clongdouble) if self.given.kind == "c" else flat).reshape(self.shape)
        result = np.zeros(self.block.count, dtype=_wide(self.dtype))
        for target, source in self._leaves(self.dtype, self.start, result):
            target[...] = self.block.cells[:, source, column]
        return result.reshape(self.shape)

    def set_tangents(self, given: Any, path: str) -> None:
        tangents = np.asarray(given)
        try:
            if tangents.dtype.names is not None:
                rows = tangents.reshape(self.block.count, *(self.dtype.shape and (-1,)))
                for source, target in self._leaves(self.dtype, self.start, rows):
                    self.block.cells[:, target, 0] = source
            else:
                wide = tangents.astype(np.clongdouble if tangents.dtype.kind == "c" else np.longdouble)
                flat = np.ascontiguousarray(wide).reshape(-1).view(np.longdouble)
                self.block.cells[:, self._columns(), 0] = flat.reshape(self.block.count, -1)
        except ValueError:
            message = f"the tangents of '{path}' have shape {tangents.shape}, its values {self.shape}"
            raise ArgumentTypeError(message) from None
        self.block.cells[:, :, 1] = np.abs(self.block.cells[:, :, 0])

    def _columns(self) -> list[int]:
        """The columns of the cells that are of this part of the block's objects."""
        end = self.start + self.dtype.itemsize
        return [i for offset, i in self.block.columns.items() if self.start <= offset < end]

    def _leaves(self, dtype: np.dtype[Any], start: int, rows: Numbers) -> Iterator[tuple[Numbers, int]]:
        """The floating-point parts of structured rows, each with its column of the cells."""
        if dtype.subdtype is not None:
            inner, shape = dtype.subdtype
            count = math.prod(shape)
            flat = rows.reshape(self.block.count, count)
            for i in range(count):
                yield from self._leaves(inner, start + i * inner.itemsize, flat[:, i])
        elif dtype.fields is not None:
            known = rows.dtype.names or ()
            for name, field in dtype.fields.items():
                if name in known:
                    yield from self._leaves(field[0], start + field[1], rows[name])
        elif is_floating_dtype(dtype):
            yield rows, self.block.columns[start]


@dataclass(frozen=True, slots=True)
class Record:
    """An object given by its fields."""

    fields: Mapping[str, Operand]

    def value(self) -> dict[str, Any]:
        return {name: operand.value() for name, operand in self.fields.items()}

    def tangents(self, column: int) -> dict[str, Any]:
        known = {name: operand.tangents(column) for name, operand in self.fields.items() if _has_tangents(operand)}
        return {name: tangents for name, tangents in known.items() if tangents is not None}


@dataclass(frozen=True, slots=True)
class Sequenced:
    """Objects that hold pointers, or pointers, in a row."""

    elements: tuple[Operand, ...]

    def value(self) -> list[Any]:
        return [e.value() for e in self.elements]

    def tangents(self, column: int) -> list[Any]:
        return [e.tangents(column) for e in self.elements]


def blocks_of(operand: Operand, path: str) -> Iterator[tuple[str, Block]]:
    """The memory that an operand was put into, with the names of its parts."""
    match operand:
        case Plain(block=block):
            yield path, block
        case Record(fields=fields):
            for name, inner in fields.items():
                yield from blocks_of(inner, f"{path}.{name}")
        case Sequenced(elements=elements):
            for k, inner in enumerate(elements):
                yield from blocks_of(inner, f"{path}[{k}]")


class Memory:
    """All blocks of a run. Arrays that are given as parts of one memory lie in one block."""

    def __init__(self, given: Sequence[Any] = ()) -> None:
        self._blocks: list[tuple[Block, bool]] = []
        self._shared = _shared(found for value in given for found in _arrays(value))

    def regions(self) -> tuple[Any, int, int]:
        """An array of the regions: first those that last, then those of what is passed by value; how many of each."""
        known = [(block, passing) for block, passing in self._blocks if block.cells.size]
        known.sort(key=lambda pair: pair[1])
        array = (Region * max(1, len(known)))(*(block.region() for block, _ in known))
        passing = sum(passing for _, passing in known)
        return array, len(known) - passing, passing

    def argument(self, type: Type, value: Any, tangents: Any, path: str) -> tuple[int, Operand]:
        """The address of the argument itself, and what it was made of; `tangents` is None for none.

        Raises ArgumentTypeError for what does not fit.
        """
        if isinstance(type, Pointer):
            table = self._block(type, 1, passing=True)
            return table.address, self._object(type, value, tangents, table, 0, path)
        return self._one(strip_reference(type), value, tangents, path, passing=not isinstance(type, Reference))

    def variable(self, type: Type, value: Any, tangents: Any, path: str) -> tuple[Block, Operand]:
        """What a variable at namespace scope holds: the block lies elsewhere, so that its region is not this one's.

        Raises ArgumentTypeError for what does not fit.
        """
        if holds_pointers(type):
            block = Block(type, 1)
            return block, self._object(type, value, tangents, block, 0, path)
        element = type
        while isinstance(element, Array):
            element = element.element
        block = Block(element, size_of(type) // size_of(element))
        shape = _dtype(type, path).shape
        plain = Plain(block, 0, _dtype(element, path), _dtype(element, path), shape)
        plain.fill(_as_objects(type, value, path).reshape(shape))
        if tangents is not None and block.cells.size:
            plain.set_tangents(tangents, path)
        return block, plain

    def result(self, type: Type) -> Plain:
        """Storage for what a function returns."""
        dtype = _dtype(type, "the result")
        return Plain(self._block(type, 1, passing=True), 0, dtype, dtype, ())

    def _block(self, type: Type, count: int, *, passing: bool = False) -> Block:
        block = Block(type, count)
        self._blocks.append((block, passing))
        return block

    def _one(self, type: Type, value: Any, tangents: Any, path: str, *, passing: bool = False) -> tuple[int, Operand]:
        """An object in a block of its own; a reference to an array takes one array."""
        if isinstance(type, Array) and not holds_pointers(type):
            return self._elements(type, value, tangents, path)
        block = self._block(type, 1, passing=passing)
        return block.address, self._object(type, value, tangents, block, 0, path)

    def _object(self, type: Type, value: Any, tangents: Any, block: Block, start: int, path: str) -> Operand:
        """Writes a value into the only object of a block."""
        match type:
            case Pointer() | Reference() | Opaque() if value is None:
                return Null()
            case Pointer(Struct() as pointee) if isinstance(value, Mapping):
                address, operand = self._one(pointee, value, tangents, path)
            case Pointer(pointee):
                address, operand = self._elements(pointee, value, tangents, path)
            case Reference(referee):
                address, operand = self._one(referee, value, tangents, path)
            case Array(element, length) if holds_pointers(element):
                parts = _items(value, length, path)
                inner = _items(tangents, length, path) if tangents is not None else [None] * length
                size = size_of(element)
                return Sequenced(
                    tuple(
                        self._object(element, v, t, block, start + i * size, f"{path}[{i}]")
                        for i, (v, t) in enumerate(zip(parts, inner, strict=True))
                    )
                )
            case Struct() if (data := vector_in(type)) is not None:
                return self._vector(type, data, value, tangents, block, start, path)
            case Struct() if _by_fields(type, value):
                return self._record(type, value, tangents, block, start, path)
            case _:
                return self._plain(type, value, tangents, block, start, path)
        block.bytes[start : start + 8] = np.array([address], np.uint64).view(np.uint8)
        return operand

    def _record(self, type: Struct, value: Any, tangents: Any, block: Block, start: int, path: str) -> Record:
        members = members_of(type)
        if isinstance(value, Mapping):
            unknown = set(value) - {m.name for m in members}
            missing = [m.name for m in members if m.name not in value and not isinstance(m.type, Pointer)]
            if unknown or missing:
                what = f"no field '{min(unknown)}'" if unknown else f"a field '{missing[0]}', which is not given"
                raise ArgumentTypeError(f"argument '{path}': {spell(type)} has {what}")
        fields = {}
        for m in members:
            tangent = None if tangents is None else _field(tangents, m.name, path)
            inner = _field(value, m.name, path)
            fields[m.name] = self._object(m.type, inner, tangent, block, start + m.offset, f"{path}.{m.name}")
        return Record(fields)

    def _vector(
        self, type: Struct, data: Pointer, value: Any, tangents: Any, block: Block, start: int, path: str
    ) -> Operand:
        """What it holds besides the pointer to its elements says how many they are."""
        view = view_class(type)
        if view is not None:
            for place, word in described(path, view, np.shape(value)):
                block.bytes[start + place : start + place + 8].view(np.uint64)[:] = word
            return self._object(data, value, tangents, block, start + words_of(view).data, path)
        operand = self._object(data, value, tangents, block, start, path)
        words = block.bytes[start + 8 : start + type.record.size]
        words.view(np.uint64)[:] = len(value)
        return operand

    def _plain(self, type: Type, value: Any, tangents: Any, block: Block, start: int, path: str) -> Plain:
        dtype = _dtype(type, path)
        base, shape = dtype.subdtype or (dtype, ())
        array = _as_objects(type, value, path)
        if array.size != math.prod(shape):
            kind = "a scalar" if not shape else f"of shape {shape}"
            raise ArgumentTypeError(f"argument '{path}' is {kind}, got an array of {array.size}")
        plain = Plain(block, start, dtype, base, shape)
        plain.fill(array.reshape(shape))
        if tangents is not None and block.cells.size:
            plain.set_tangents(tangents, path)
        return plain

    def _elements(self, element: Type, value: Any, tangents: Any, path: str) -> tuple[int, Operand]:
        """What a pointer leads to: all elements of an array in a block."""
        if holds_pointers(element):
            values = _items(value, None, path)
            inner = _items(tangents, len(values), path) if tangents is not None else [None] * len(values)
            block = self._block(element, len(values))
            # every element is written like an object of its own, whose bytes and cells are this block's
            return block.address, Sequenced(
                tuple(
                    self._object(element, v, t, _Window.of(block, i), 0, f"{path}[{i}]")
                    for i, (v, t) in enumerate(zip(values, inner, strict=True))
                )
            )
        while isinstance(element, Array):
            element = element.element
        dtype = _dtype(element, path)
        array = np.asarray(value)
        if isinstance(element, Struct):
            count = _count(element, array, path)
        elif array.dtype != dtype:
            raise ArgumentTypeError(f"argument '{path}' has dtype {array.dtype}, expected {dtype}")
        else:
            count = array.size
        block = self._part(element, array, path) or self._block(element, count)
        plain = Plain(block, 0, dtype, array.dtype if array.dtype.names is None else dtype, array.shape)
        plain.fill(array)
        if tangents is not None and block.cells.size:
            plain.set_tangents(tangents, path)
        return block.address, plain

    def _part(self, element: Type, array: Numbers, path: str) -> Block | None:
        """Where an array lies in the block of the memory that it shares with others."""
        at, size = array.ctypes.data, size_of(element)
        shared = next((s for s in self._shared if s.begin <= at < s.end and array.nbytes), None)
        if shared is None:
            return None
        if shared.block is None:
            shared.block = self._block(element, (shared.end - shared.begin) // size)
        whole = shared.block
        if whole.size != size or whole.columns != Block(element, 0).columns or (at - shared.begin) % size:
            raise ArgumentTypeError(
                f"argument '{path}' shares memory with another one, which has elements of another type"
            )
        return _Window.of(whole, (at - shared.begin) // size, array.nbytes // size)


class _Window(Block):
    """Some elements of a block, as a block."""

    @classmethod
    def of(cls, block: Block, first: int, count: int = 1) -> _Window:
        window = cls.__new__(cls)
        window.size, window.count, window.offsets, window.columns = block.size, count, block.offsets, block.columns
        window.bytes = block.bytes[first * block.size : (first + count) * block.size]
        window.cells = block.cells[first : first + count]
        return window


@dataclass(slots=True)
class _Shared:
    """Memory of the caller's that several arrays lie in, and the block that stands for it."""

    begin: int
    end: int
    block: Block | None = None


def _shared(arrays: Iterable[Numbers]) -> list[_Shared]:
    """The memory that several arrays have parts of."""
    found: list[_Shared] = []
    alone: set[int] = set()
    for array in sorted((a for a in arrays if a.nbytes and a.flags.c_contiguous), key=lambda a: a.ctypes.data):
        begin, end = array.ctypes.data, array.ctypes.data + array.nbytes
        if found and begin < found[-1].end:
            found[-1].end = max(found[-1].end, end)
            alone.discard(found[-1].begin)
        else:
            found.append(_Shared(begin, end))
            alone.add(begin)
    return [s for s in found if s.begin not in alone]


def _arrays(value: Any) -> Iterator[Numbers]:
    if isinstance(value, Mapping):
        for inner in value.values():
            yield from _arrays(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _arrays(inner)
    elif isinstance(value, np.ndarray):
        yield value


def _dtype(type: Type, path: str) -> np.dtype[Any]:
    try:
        return dtype_of(type)
    except ValueError:
        raise ArgumentTypeError(f"a check cannot make values of type '{spell(type)}', for '{path}'") from None


def _wide(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The structured type of the tangents: floating-point fields only, as long doubles."""
    if dtype.subdtype is not None:
        return np.dtype((_wide(dtype.subdtype[0]), dtype.subdtype[1]))
    if dtype.fields is not None:
        return np.dtype([(name, _wide(field[0])) for name, field in dtype.fields.items() if _is_wide(field[0])])
    return np.dtype(np.longdouble)


def _is_wide(dtype: np.dtype[Any]) -> bool:
    if dtype.subdtype is not None:
        return _is_wide(dtype.subdtype[0])
    if dtype.fields is not None:
        return any(_is_wide(field[0]) for field in dtype.fields.values())
    return is_floating_dtype(dtype)


def _has_tangents(operand: Operand) -> bool:
    match operand:
        case Plain(block=block, dtype=dtype):
            return bool(block.cells.size) and _is_wide(dtype)
        case Record(fields):
            return any(map(_has_tangents, fields.values()))
        case Sequenced(elements):
            return any(map(_has_tangents, elements))
        case _:
            return False


def _by_fields(type: Struct, value: Any) -> bool:
    """Whether an object is given by its fields, not as bytes or numbers."""
    if isinstance(value, Mapping) or holds_pointers(type):
        return True
    return not isinstance(value, (np.ndarray, np.generic, ctypes.Structure, Sequence, complex))


def _field(value: Any, name: str, path: str) -> Any:
    if isinstance(value, Mapping):
        return value.get(name)
    if isinstance(value, (np.void, np.ndarray)):
        return value[name] if name in (value.dtype.names or ()) else None
    try:
        return getattr(value, name)
    except AttributeError:
        raise ArgumentTypeError(f"argument '{path}' has no field '{name}'") from None


def _items(value: Any, length: int | None, path: str) -> list[Any]:
    if not isinstance(value, (list, tuple, np.ndarray)) or (length is not None and len(value) != length):
        count = "a list" if length is None else f"a list of {length}"
        raise ArgumentTypeError(f"argument '{path}' holds pointers: it takes {count}, one value for each")
    return list(value)


def _as_objects(type: Type, value: Any, path: str) -> Numbers:
    """One object, or the elements of a member array, with the dtype of the type."""
    dtype = _dtype(type, path)
    base = dtype.subdtype[0] if dtype.subdtype else dtype
    if isinstance(value, ctypes.Structure):
        value = np.frombuffer(bytes(value), np.uint8)
        if value.size != base.itemsize:
            raise ArgumentTypeError(f"argument '{path}' has {value.size} bytes, {spell(type)} has {base.itemsize}")
        return np.array(value).view(base)
    array = np.asarray(value)
    if base.names is None:
        if is_floating_dtype(base) and base.kind != "f" and array.dtype.kind == "f":
            return bfloat16_bits(array).reshape(array.shape)
        return array.astype(base)
    element = type
    while isinstance(element, Array):
        element = element.element
    assert isinstance(element, Struct)
    uniform = uniform_scalar(element)
    if array.dtype.names is None and uniform is not None:
        if array.dtype.kind == "c":
            array = np.ascontiguousarray(array).reshape(-1).view(array.real.dtype)
        array = array.astype(dtype_of(uniform[0]))
    _count(element, array, path)
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8).view(base)


def _count(element: Struct, array: Numbers, path: str) -> int:
    """How many objects an array is, whose numbers lie as the class has them."""
    if array.dtype.names is not None:
        if array.dtype.itemsize == element.record.size and _floats(array.dtype) == _floats(dtype_of(element)):
            return int(array.size)
        raise ArgumentTypeError(f"argument '{path}' has dtype {array.dtype}, which is not that of {spell(element)}")
    uniform = uniform_scalar(element)
    number = array.real.dtype if array.dtype.kind == "c" else array.dtype
    if uniform is None or number != dtype_of(uniform[0]) or array.nbytes % element.record.size:
        raise ArgumentTypeError(
            f"argument '{path}' has dtype {array.dtype} and shape {array.shape}, expected objects of {spell(element)}"
        )
    return int(array.nbytes) // element.record.size


def _floats(dtype: np.dtype[Any], start: int = 0) -> set[tuple[int, str]]:
    """Where a structured type has floating-point numbers."""
    if dtype.subdtype is not None:
        inner, shape = dtype.subdtype
        return {f for i in range(math.prod(shape)) for f in _floats(inner, start + i * inner.itemsize)}
    if dtype.fields is not None:
        return {f for field in dtype.fields.values() for f in _floats(field[0], start + field[1])}
    return {(start, dtype.str)} if dtype.kind == "f" else set()


def has_tangents(type: Type) -> bool:
    """Whether what is passed for a parameter has floating-point numbers in it, or pointers lead to some."""
    return _reaches(strip_reference(type), set())


def _reaches(type: Type, seen: set[Struct]) -> bool:
    match type:
        case Pointer(inner) | Reference(inner) | Array(inner):
            return _reaches(inner, seen)
        case Struct() if type not in seen:
            seen.add(type)
            return any(_reaches(field.type, seen) for field in type.fields)
        case _:
            return isinstance(type, Scalar) and bool(float_offsets(type))
