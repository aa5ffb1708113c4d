"""Launches and calls that are made again with other arrays of the same kind: what is the same for a signature, types,
shapes, layout and device, has been checked; of other arrays it is asked whether they are of it, and lie apart."""

from __future__ import annotations

import ctypes
import math
import sys
import weakref
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cladpy.diagnostics import ArgumentTypeError
from cladpy.ir.types import Pointer, Reference, Scalar, ScalarKind, Struct, is_half
from cladpy.runtime.arguments import Argument
from cladpy.runtime.arrays import ArrayView, view_of
from cladpy.runtime.blocks import Block, aligned_bytes
from cladpy.runtime.device_api import Device
from cladpy.runtime.library import LaunchRecord, Library
from cladpy.runtime.scalars import convert, ctype_of
from cladpy.runtime.shape import LaunchShape
from cladpy.runtime.structs import dtype_of, leaves_of

_WRITEABLE, _WARNS = 0x400, 1 << 31  # one that warns of being written is read only
_PLAIN = 0x1 | 0x100  # in C order, aligned

# What NumPy's interface for C has in the words that follow an object's head: the first is where an array lies, and its
# flags begin the seventh. Reading them takes a twentieth of the time of asking for them.
_WORD = ctypes.sizeof(ctypes.c_size_t)
_words = (ctypes.c_size_t * (sys.maxsize // _WORD)).from_address(0)
_HEAD = object.__basicsize__ // _WORD


def _says_by_words(array: NDArray[Any]) -> bool:
    """Whether they are there in this Python, and with this NumPy, for an array."""
    at = id(array) // _WORD + _HEAD
    return _words[at] == array.ctypes.data and not (_words[at + 6] ^ array.flags.num) & 0xFFFFFFFF


_whole, _of_bytes = np.zeros((4, 4)), np.frombuffer(b"as they are", np.uint8)  # which must not be written
_READS_WORDS = (
    sys.implementation.name == "cpython"
    and np.ndarray.__basicsize__ >= (_HEAD + 7) * _WORD
    and all(map(_says_by_words, (_whole, _whole[:, 1:], _whole.T, _of_bytes, _of_bytes[3:])))
)
_NOTHING, _INTERFACE = object(), "__cuda_array_interface__"
Returned: TypeAlias = "tuple[int | float | None]"
_WITHOUT_VALUE: Returned = (None,)


@dataclass(slots=True)
class _Number:
    """A number; those of Python's own type for it are not looked at as closely as others."""

    type_of: Scalar
    kind: Any  # that type; None where there is none
    cell: Any  # a ctypes object
    low: int
    high: int
    last: Any = _NOTHING

    def put(self, value: Any) -> bool:
        if value is self.last:
            return True
        self.last = _NOTHING
        if type(value) is not self.kind:
            return self._converted(value)
        if self.kind is int and not self.low <= value <= self.high:
            return False
        self.cell.value = value
        if self.kind is float and not math.isfinite(self.cell.value) and math.isfinite(value):
            return False
        self.last = value
        return True

    def _converted(self, value: Any) -> bool:
        """What is refused is so by its name, elsewhere."""
        try:
            self.cell.value = convert("", self.type_of, value).value
        except ArgumentTypeError:
            return False
        return True


class _Null:
    """A pointer that is null again."""

    def __init__(self) -> None:
        self.cell = ctypes.c_void_p()

    @staticmethod
    def put(value: Any) -> bool:
        return value is None


@dataclass(slots=True)
class _Object:
    """An object without pointers, given as a structured scalar of NumPy's: the same bytes."""

    dtype: Any
    cell: Any
    memory: Any  # of the cell

    def put(self, value: Any) -> bool:
        if type(value) is not np.void or value.dtype != self.dtype:
            return False
        ctypes.memmove(self.cell, value.tobytes(), self.dtype.itemsize)
        return True


@dataclass(slots=True)
class _Array:
    """An array of NumPy's."""

    dtype: Any
    shape: tuple[int, ...]
    nbytes: int
    alignment: int
    cell: ctypes.c_void_p
    looked_at: int  # flags
    flags: int  # what these are
    kind: Any = np.ndarray

    def address(self, value: Any) -> int | None:
        """Where an array lies; None for one of another kind, or of another layout."""
        if type(value) is not self.kind or value.shape != self.shape:
            return None
        dtype = value.dtype
        if dtype is not self.dtype and dtype != self.dtype:
            return None
        at = id(value) // _WORD + _HEAD
        address: int = _words[at]
        return None if _words[at + 6] & self.looked_at != self.flags or address % self.alignment else address


@dataclass(slots=True)
class _Tensor:
    """A tensor of PyTorch's, in the memory of the host or of a device."""

    dtype: Any
    shape: tuple[int, ...]
    nbytes: int
    alignment: int
    cell: ctypes.c_void_p
    kind: Any  # which of its classes
    layout: Any
    device: Any
    is_complex: bool

    def address(self, value: Any) -> int | None:
        if type(value) is not self.kind or value.dtype is not self.dtype or value.layout is not self.layout:
            return None
        if value.device != self.device or value.shape != self.shape or not value.is_contiguous():
            return None
        if value.is_neg() or (self.is_complex and value.is_conj()):
            return None
        address: int = value.data_ptr()
        return None if address % self.alignment else address


@dataclass(slots=True)
class _Interfaced:
    """An array of a device that does not say of which one, as PyCUDA's. What it says of itself is compared as it is; of
    one that is another than the last, or that lies elsewhere by now, the runtime is asked."""

    kind: Any  # its class
    about: dict[str, object]  # what is the same of each
    read_only: bool
    nbytes: int
    alignment: int
    cell: ctypes.c_void_p
    device: Device
    written: bool
    last: Callable[[], object]  # a weak reference

    def address(self, value: Any) -> int | None:
        interface = getattr(value, _INTERFACE, None)
        if type(value) is not self.kind or interface is None:
            return None
        about = dict(interface)
        pointer, read_only = about.pop("data")
        if about != self.about or read_only is not self.read_only or not pointer or pointer % self.alignment:
            return None
        if pointer != self.cell.value or self.last() is not value:
            if not self.device.reaches(pointer, self.written):
                return None
            self.last = _weakly(value)
        address: int = pointer
        return address


def _weakly(value: object) -> Callable[[], object]:
    try:
        return weakref.ref(value)
    except TypeError:
        return lambda: None


@dataclass(slots=True)
class _Viewed:
    """An array of another library, or of a class that derives from NumPy's or PyTorch's: what it says of itself by the
    protocol that all else goes by (`arrays.view_of`)."""

    kind: Any  # its class
    about: tuple[object, ...]  # what is the same of each
    nbytes: int
    alignment: int
    cell: ctypes.c_void_p
    written: bool
    kept: object = None  # what holds the memory until the launch is made

    def address(self, value: Any) -> int | None:
        if type(value) is not self.kind:
            return None
        try:
            view = view_of(value)
        except ArgumentTypeError:  # which is said of the argument by its name
            return None
        if view is None or view.pointer % self.alignment or (view.read_only and self.written):
            return None
        self.kept = view.owner
        return view.pointer if _about(view) == self.about else None


def _about(view: ArrayView) -> tuple[object, ...]:
    return view.dtype, view.shape, view.contiguous, view.device, view.stream


class Rebound:
    """A launch of a kernel, or a call of a function, with numbers and arrays."""

    def __init__(
        self,
        library: Library,
        entry: str,
        shape: LaunchShape,
        arguments: Sequence[Argument],
        extra: Sequence[Block] = (),
        *,
        apart: bool,
        stream: Callable[[object], int | None],
        device: Device | None = None,
        result: Scalar | None = None,
        zero: Sequence[int] = (),
        around: Callable[[Sequence[int]], AbstractContextManager[None]] | None = None,
    ) -> None:
        """`apart` says that arrays must not overlap, unless they are just where these were, which have been looked at;
        `stream` gives the handle of what a caller gives as one, None where the launch cannot be made again there.
        `extra` values, after the arguments, follow from their signature; then a function returns `result`, which is no
        half. Arrays at the places `zero` are to hold nothing but that. `around` is what a call is made within, given
        where arrays lie, always apart. `possible` has to have been asked."""
        self._library, self._apart, self._stream = library, apart, stream
        self._device, self._lock = device, library.lock
        parts = [_part(a, device) for a in arguments]
        self._count = len(parts)
        self._viewed = [part for part in parts if isinstance(part, _Viewed)]
        self._puts = [(p.put, at) for at, p in enumerate(parts) if isinstance(p, _Number | _Null | _Object)]
        arrays = [(p, at) for at, p in enumerate(parts) if not isinstance(p, _Number | _Null | _Object)]
        self._arrays = [(part.address, part.cell, at) for part, at in arrays]
        self._sizes = [part.nbytes for part, _ in arrays]
        self._longest = max(self._sizes, default=0)
        self._record = LaunchRecord(shape.grid, shape.block, shape.shared_mem, None)
        self._extra = [block.copied() for block in extra]
        self._cells = [part.cell for part in parts]
        self._result: Any = None
        returned: list[int] = []
        if result is not None:
            self._result = ctype_of(result)()
            self._into = ctypes.c_void_p(ctypes.addressof(self._result))  # an entry takes where to put it
            returned.append(ctypes.addressof(self._into))
        at = [*map(ctypes.addressof, self._cells), *(data.ctypes.data for data in self._extra), *returned]
        self._pointers = (ctypes.c_void_p * max(1, len(at)))(*at)
        self._function = library.function(entry)
        self._at = ctypes.addressof(self._record), ctypes.addressof(self._pointers)
        self._zero, self._around = zero, around
        self._addresses = [part.cell.value or 0 for part, _ in arrays]
        self._known = [] if around else self._addresses  # where they were last seen to lie as they may

    def launch(self, values: Sequence[Any], stream: object) -> Returned | None:
        """Launches with these, if they are of the signature: what is returned; None where they are not. Raises
        BackendError."""
        if len(values) != self._count:
            return None
        handle = self._stream(stream)
        if handle is None:
            return None
        with self._lock:
            if self._device is None or self._device.is_current():
                return self._launch(values, handle)
            with self._device.active():
                return self._launch(values, handle)

    def alone(self) -> None:
        """Makes the launch as it was made last, with nothing around it: for measurements."""
        self._function(*self._at)

    def _launch(self, values: Sequence[Any], handle: int) -> Returned | None:
        try:
            if not self._bind(values):
                return None
            self._record.stream = handle or None
            if self._around is None:
                status = self._function(*self._at)
            else:
                with self._around(self._addresses):
                    status = self._function(*self._at)
        finally:
            for part in self._viewed:
                part.kept = None
        if status:
            self._library.check(status)
        if self._result is None:
            return _WITHOUT_VALUE
        value = self._result.value
        return (int(value) if value is True or value is False else value,)

    def _bind(self, values: Sequence[Any]) -> bool:
        for put, at in self._puts:
            if not put(values[at]):
                return False
        addresses: list[int] = []
        for address_of, cell, at in self._arrays:
            address = address_of(values[at])
            if address is None:
                return False
            cell.value = address
            addresses.append(address)
        if self._apart and addresses != self._known:
            if not self._lie_apart(addresses):
                return False
            self._known = addresses
        self._addresses = addresses
        return not any(values[at].any() for at in self._zero)

    def _lie_apart(self, addresses: list[int]) -> bool:
        last = -self._longest
        for address in sorted(addresses):
            if address - last < self._longest:
                break
            last = address
        else:
            return True
        end = 0
        for first, size in sorted(zip(addresses, self._sizes, strict=True)):
            if size:
                if first < end:
                    return False
                end = first + size
        return True


def possible(arguments: Sequence[Argument]) -> bool:
    """Whether a launch with these can be made again so: numbers, objects without pointers, arrays, null."""
    return all(map(_is_simple, arguments))


def _is_simple(argument: Argument) -> bool:
    type_of, block = argument.slot.type, argument.block
    if argument.slot.counts is not None:
        return False
    if isinstance(type_of, Scalar) or _is_null(argument):
        return True
    if isinstance(type_of, Struct):
        return not any(isinstance(leaf.type, Pointer) for leaf in leaves_of(type_of))
    if not isinstance(type_of, Pointer | Reference) or len(block.places) != 1 or block.nulls or block.opaque:
        return False
    place = block.places[0]
    view = place.target
    return isinstance(view, ArrayView) and place.offset == 0 and view.contiguous and view.pointer % place.alignment == 0


def _is_null(argument: Argument) -> bool:
    return isinstance(argument.slot.type, Pointer) and not argument.block.places and bool(argument.block.nulls)


def can_be_asked_for_zero(argument: Argument) -> bool:
    """Whether an array says by itself whether it holds other numbers."""
    place = argument.block.places[0]
    view = place.target
    owned = isinstance(view, ArrayView) and (type(view.owner) is np.ndarray or is_tensor(view.owner))
    return owned and isinstance(view, ArrayView) and view.dtype.names is None


def is_tensor(owner: object) -> bool:
    """Whether it is PyTorch's own; classes that derive from it may answer in ways of theirs."""
    return type(owner).__module__ in ("torch", "torch.nn.parameter")


def _part(
    argument: Argument, device: Device | None
) -> _Number | _Null | _Object | _Array | _Tensor | _Interfaced | _Viewed:
    type_of, block = argument.slot.type, argument.block
    if isinstance(type_of, Scalar):
        return _number(type_of, block)
    if isinstance(type_of, Struct):
        memory = aligned_bytes(block.nbytes, 64)
        return _Object(dtype_of(type_of), (ctypes.c_uint8 * block.nbytes).from_address(memory.ctypes.data), memory)
    if _is_null(argument):
        return _Null()
    place = block.places[0]
    view = place.target
    assert isinstance(view, ArrayView)
    size, cell = (view.nbytes, place.alignment), ctypes.c_void_p(view.pointer)
    if is_tensor(view.owner):
        tensor: Any = view.owner
        about = type(tensor), tensor.layout, tensor.device
        return _Tensor(tensor.dtype, view.shape, *size, cell, *about, view.dtype.kind == "c")
    if view.device == -1:
        assert device is not None
        interface = dict(getattr(view.owner, _INTERFACE))
        read_only = interface.pop("data")[1]
        last = _weakly(view.owner)
        return _Interfaced(type(view.owner), interface, read_only, *size, cell, device, place.written, last)
    if type(view.owner) is not np.ndarray or not _READS_WORDS:
        kind = type(view.owner[0] if isinstance(view.owner, tuple) else view.owner)  # with DLPack's capsule
        return _Viewed(kind, _about(view), *size, cell, place.written)
    looked_at, flags = (_PLAIN | _WRITEABLE | _WARNS, _PLAIN | _WRITEABLE) if place.written else (_PLAIN, _PLAIN)
    return _Array(view.dtype, view.shape, *size, cell, looked_at, flags)


def _number(type_of: Scalar, block: Block) -> _Number:
    cell: Any = ctype_of(type_of).from_buffer_copy(block.data.tobytes())
    if type_of.kind in (ScalarKind.FLOAT, ScalarKind.DOUBLE):
        return _Number(type_of, float, cell, 0, 0)
    if is_half(type_of) or type_of.kind is ScalarKind.BOOL:
        return _Number(type_of, None, cell, 0, 0)
    bits = 8 * ctypes.sizeof(cell)
    signed = type(cell)(-1).value < 0
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    return _Number(type_of, int, cell, low, high)
