"""Values of Python as the bytes of C++ objects: numbers, classes, and pointers to arrays and to further objects.

A class takes a mapping from the names of its members to values, an object with attributes of these names, or the bytes
as they are: a structured scalar of NumPy or a ctypes.Structure. One that is nothing but numbers takes these as well.
"""

from __future__ import annotations

import ctypes
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from cladpy.diagnostics import ArgumentTypeError, LaunchError
from cladpy.ir.halves import adjoint_value
from cladpy.ir.types import (
    Array,
    Opaque,
    Pointer,
    Reference,
    Scalar,
    Struct,
    Type,
    Void,
    holds_pointers,
    is_floating,
    rows_in,
    scalar_of,
    size_of,
    spell,
    vector_in,
)
from cladpy.ir.views import described, view_class, words_of
from cladpy.runtime.arrays import ArrayView
from cladpy.runtime.blocks import Block, Place, aligned_bytes
from cladpy.runtime.buffers import array_for, count_in, count_of, pointee_of, same_layout
from cladpy.runtime.returned import Returned
from cladpy.runtime.scalars import convert, ctype_of
from cladpy.runtime.structs import Member, alignment_of, float_leaves, leaves_of, members_of, overlap, uniform_scalar


def block_for(
    name: str, type: Type, value: object, *, adjoint: bool, numbers: bool = False, nulls: Collection[str] = ()
) -> Block:
    """The value of an argument. That of an adjoint has pointers to adjoints, and numbers beside them only where
    `numbers` says so: what it leaves out is null, and `nulls` names pointers that may be. Raises LaunchError or
    ArgumentTypeError where the value does not fit, with the part's name."""
    if is_handle(type):
        return Block(_handle(name, type, value))
    if isinstance(type, Opaque | Void):
        _cannot_be_passed(name, type)
    writer = _Writer(aligned_bytes(size_of(type), alignment_of(type)), adjoint, numbers, list(nulls))
    writer.write(0, type, name, value)
    return writer.block


def is_handle(type: Type) -> bool:
    """Whether a type is that of streams, events and handles of libraries: pointers to what is the library's own."""
    return isinstance(type, Opaque) and type.spelling.endswith("*")


def _handle(name: str, type: Type, value: Any) -> NDArray[np.uint8]:
    """None is null; else an address, or an object of PyCUDA, CuPy or PyTorch that has one."""
    found = value
    for attribute in ("handle", "ptr", "cuda_stream", "cuda_event"):
        found = getattr(found, attribute, found)
    if found is not None and (isinstance(found, bool) or not isinstance(found, int | np.integer)):
        raise ArgumentTypeError(f"{name}: expected None, or the address of a {spell(type)}, got {_kind_of(value)}")
    data = aligned_bytes(8)
    data.view(np.uint64)[0] = int(found or 0)
    return data


def is_array(value: object) -> bool:
    """True for arrays with an extent; NumPy's arrays without are numbers."""
    if isinstance(value, np.ndarray):
        return value.ndim > 0
    return not isinstance(value, np.generic) and (
        hasattr(value, "__dlpack__") or hasattr(value, "__cuda_array_interface__")
    )


def without_extent(value: object) -> object:
    """The number that an array without extents holds, as PyTorch's; anything else as it is."""
    if isinstance(value, int | float | np.generic | np.ndarray):
        return value
    if is_array(value) and getattr(value, "shape", None) == () and callable(getattr(value, "item", None)):
        return value.item()  # type: ignore[attr-defined]
    return value


def leads_to_floats(type: Pointer | Reference, seen: frozenset[Struct] = frozenset()) -> bool:
    """Whether there is anything to differentiate behind a pointer. `seen` are the classes that led here."""
    core = scalar_of(type)
    if isinstance(core, Struct):
        if core in seen:
            return False
        leaves = tuple(leaves_of(core))
        behind = (t for t in (leaf.type for leaf in leaves) if isinstance(t, Pointer))
        return any(is_floating(leaf.type) for leaf in leaves) or any(leads_to_floats(t, seen | {core}) for t in behind)
    return is_floating(core)


@dataclass(slots=True)
class _Writer:
    data: NDArray[np.uint8]
    adjoint: bool
    numbers: bool
    nulls: list[str]  # the names of pointers that are null; of an adjoint's, of those that may be
    places: list[Place] = field(default_factory=list)
    opaque: list[str] = field(default_factory=list)  # see Block
    returns: bool = False  # whether the call may change these bytes
    returned: list[Returned] = field(default_factory=list)

    @property
    def block(self) -> Block:
        return Block(self.data, tuple(self.places), tuple(self.nulls), tuple(self.opaque), tuple(self.returned))

    def write(self, offset: int, type: Type, name: str, value: object) -> None:
        match type:
            case Scalar():
                value = without_extent(value)
                if self.returns and isinstance(value, np.ndarray) and value.size == 1:
                    value = value.reshape(())
                if is_array(value):
                    raise ArgumentTypeError(f"{name}: expected a number ({spell(type)}), got an array")
                self._bytes(offset, bytes(convert(name, type, value)))
            case Pointer() | Reference():
                self._pointer(offset, type, name, value)
            case Array(element, length):
                for k, part in enumerate(_sequence(name, type, length, value)):
                    self.write(offset + k * size_of(element), element, f"{name}[{k}]", part)
            case Struct() if (data := vector_in(type)) is not None:
                self._vector(offset, type, data, name, value)
            case Struct():
                self._object(offset, type, name, value)
            case _:
                _cannot_be_passed(name, type)

    def _bytes(self, offset: int, content: bytes) -> None:
        self.data[offset : offset + len(content)] = np.frombuffer(content, np.uint8)

    # ---- pointers --------------------------------------------------------------------------------------------------

    def _pointer(self, offset: int, type: Pointer | Reference, name: str, value: object) -> None:
        if value is None and isinstance(type, Pointer) and (not self.adjoint or name in self.nulls):
            self.nulls.append(name)
            return
        if self.adjoint:  # of the primal's type, but where adjoints are wider
            wider = adjoint_value(type)
            assert isinstance(wider, Pointer | Reference)
            type = wider
        element = pointee_of(type)
        core = scalar_of(element) if isinstance(element, Array) else element
        if not isinstance(scalar_of(element), Scalar | Struct | Void):
            _cannot_be_passed(name, type)
        written = self.adjoint or not type.const
        target: ArrayView | Block
        if isinstance(type, Reference) and type.const and not is_array(value) and not isinstance(element, Array):
            target, count = block_for(name, element, value, adjoint=False), 1
        elif isinstance(core, Struct) and element == core and holds_pointers(core) and is_one(core, value):
            target, count = self._one(name, core, value, written), 1
        elif isinstance(core, Pointer) and not _is_addresses(value):
            target, count = self._table(name, type, element, value)
        elif isinstance(core, Struct) and holds_pointers(core) and not is_array(value) and _is_several(value):
            target, count = self._objects(name, type, core, value)
        else:
            view = array_for(name, type, value, written=written)
            if isinstance(core, Pointer):
                self.opaque.append(name)
            elif holds_pointers(core):
                self.opaque.append(f"{name}.")
            target, count = view, count_in(type, view)
            if isinstance(type, Reference) and count != count_of(element):
                wanted = f"{count_of(element)} elements" if isinstance(element, Array) else "one element"
                raise LaunchError(f"{name}: expected an array of {wanted}, got {count}")
        self.places.append(Place(offset, name, target, count, alignment_of(core), written))

    def _one(self, name: str, type: Struct, value: object, written: bool) -> Block:
        """An object with pointers in memory; what the call writes to its numbers goes back to where they come from. Its
        adjoint is of the same class, with numbers."""
        memory = aligned_bytes(size_of(type), alignment_of(type))
        inner = _Writer(memory, self.adjoint, True, self.nulls, opaque=self.opaque, returns=written)
        inner.write(0, type, name, value)
        return Block(inner.data, tuple(inner.places), returned=tuple(inner.returned))

    def _vector(self, offset: int, type: Struct, data: Pointer, name: str, value: object) -> None:
        """The elements of a vector, which stays as long as it is; None is one without any."""
        if value is None:
            return
        written = self.adjoint or self.returns
        element = data.pointee
        target: ArrayView | Block
        if rows_in(type) is not None:
            if not isinstance(value, list | tuple | np.ndarray):
                raise ArgumentTypeError(f"{name}: expected a list of {spell(element)}, got {_kind_of(value)}")
            target, count = self._memory(name, element, value)
        else:
            target = array_for(name, data, value, written=written)
            count = count_in(data, target)
        view = view_class(type)
        if view is not None:
            assert isinstance(target, ArrayView)
            for place, word in described(name, view, target.shape):
                self._bytes(offset + place, word.to_bytes(8, "little"))
            offset += words_of(view).data
        while not any(f.reader for f in type.fields):
            base = type.fields[0].type
            assert isinstance(base, Struct)
            type = base
        self.places.append(Place(offset, name, target, count, alignment_of(element), written, type))

    def _table(self, name: str, type: Pointer | Reference, element: Type, value: object) -> tuple[Block, int]:
        """Pointers in memory, made from a list of what they lead to."""
        if not isinstance(value, list | tuple | np.ndarray):
            raise ArgumentTypeError(
                f"{name}: expected a list of arrays ({spell(type)}), or an array of addresses, got {_kind_of(value)}"
            )
        return self._memory(name, element, value)

    def _objects(self, name: str, type: Pointer | Reference, core: Struct, value: Any) -> tuple[Block, int]:
        """Objects with pointers in memory. What the call writes there besides could not be handed back."""
        numbers = bool(float_leaves(core))
        if (self.adjoint and numbers) or not (self.adjoint or type.const):
            raise ArgumentTypeError(
                f"{name}: the call may write to these objects of type {spell(core)}, but nothing comes back in a list\n"
                "hint: pass a structured array whose pointers are addresses"
            )
        return self._memory(name, core, value if isinstance(value, list | tuple) else [value])

    def _memory(self, name: str, element: Type, values: Sequence[object] | NDArray[Any]) -> tuple[Block, int]:
        width = size_of(element)
        memory = aligned_bytes(max(1, len(values)) * width, alignment_of(element))
        inner = _Writer(memory, self.adjoint, self.numbers, self.nulls, opaque=self.opaque)
        for k, value in enumerate(values):
            inner.write(k * width, element, f"{name}[{k}]", value)
        return Block(inner.data, tuple(inner.places)), len(values) * count_of(element)

    # ---- classes ---------------------------------------------------------------------------------------------------

    def _object(self, offset: int, type: Struct, name: str, value: object) -> None:
        raw = _raw(name, type, value)
        if raw is not None:
            self._bytes(offset, raw)
            if holds_pointers(type):
                self.opaque.append(f"{name}.")
        elif isinstance(value, Mapping):
            unknown = [str(key) for key in value if key not in _names(type)]
            if unknown:
                _no_member(name, type, unknown[0])
            self._members(offset, type, name, value, value)
        elif not _has_members(type, value):
            raise ArgumentTypeError(f"{name}: expected {_expected(type)}, got {_kind_of(value)}")
        else:
            found = {n: getattr(value, n) for n in _names(type) if hasattr(value, n)}
            self._members(offset, type, name, found, value)

    def _members(self, offset: int, type: Struct, name: str, values: Mapping[Any, object], owner: object) -> None:
        """The members that have values, which `owner` has. Those of a base may be among the class's own, as in C++."""
        members = members_of(type)
        bases = {m.name for m in members if m.base}
        given = [m for m in members if m.name in values or (m.name in bases and _inherited(m, values))]
        _check_members(name, type, members, given, required=not self.adjoint)
        for member in given:
            inner = f"{name}.{member.name}"
            if self.adjoint and not has_adjoint(member.type) and not (self.numbers and float_leaves(member.type)):
                continue
            if member.name not in values:
                assert isinstance(member.type, Struct)
                self._members(offset + member.offset, member.type, name, values, owner)
            elif values[member.name] is None and isinstance(member.type, Pointer):
                self.nulls.append(inner)
            else:
                self._member(offset + member.offset, member, inner, values[member.name], owner)

    def _member(self, offset: int, member: Member, name: str, value: object, owner: object) -> None:
        self.write(offset, member.type, name, value)
        apart = isinstance(member.type, Struct) and (isinstance(value, Mapping) or _has_members(member.type, value))
        if self.returns and not apart and not holds_pointers(member.type):
            before = self.data[offset : offset + size_of(member.type)].tobytes()
            self.returned.append(Returned(offset, member.type, owner, member.name, before))


def member_of(type: Struct, value: object, path: Sequence[str]) -> object:
    """What a dict or an object has for a member, in itself or in a base of it; None where it has nothing."""
    if not path or isinstance(value, np.void | np.ndarray | ctypes.Structure):
        return None
    name, *rest = path
    found = _part(value, name)
    if found is not None and rest:
        inner = _type_of(type, name)
        return member_of(inner, found, rest) if isinstance(inner, Struct) else None
    bases = ((b.name, b.type) for b in members_of(type) if b.base) if found is None else ()
    for base, of in bases:
        inherited = _part(value, base)
        if inherited is not None and isinstance(of, Struct):
            found = member_of(of, inherited, path)
    return found


def led_by(type: Type, name: str, block: Block) -> set[str]:
    """The names of the pointers in a value, and where they lead, that are not null. Bases are left out of them."""
    found = {place.name.removeprefix(name) for place in block.all_places()}
    if isinstance(type, Struct):
        leaves = (leaf for leaf in leaves_of(type) if isinstance(leaf.type, Pointer))
        found |= {f".{leaf.path}" for leaf in leaves if block.data[leaf.offset : leaf.offset + 8].any()}
    bases = _bases_in(type, set())
    return {name + ".".join(part for part in place.split(".") if part not in bases) for place in found}


def _bases_in(type: Type, seen: set[Struct]) -> set[str]:
    """What the bases of the classes are called that a value is made of or leads to."""
    core = scalar_of(type)
    if not isinstance(core, Struct) or core in seen:
        return set()
    seen.add(core)
    members = members_of(core)
    return {m.name for m in members if m.base} | {n for m in members for n in _bases_in(m.type, seen)}


def _part(value: object, name: str) -> object:
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)


def _type_of(type: Struct, name: str) -> Type | None:
    """That of a member, in the class or in a base of it."""
    members = members_of(type)
    own = next((m.type for m in members if m.name == name), None)
    bases = (m.type for m in members if m.base and isinstance(m.type, Struct))
    return own or next((found for b in bases if (found := _type_of(b, name)) is not None), None)


def _raw(name: str, type: Struct, value: object) -> bytes | None:
    """The bytes of what is an object already, or of the numbers that it consists of."""
    if isinstance(value, ctypes.Structure | ctypes.Union):
        if ctypes.sizeof(value) != type.record.size:
            raise ArgumentTypeError(
                f"{name}: {spell(type)} has {type.record.size} bytes, {_kind_of(value)} has {ctypes.sizeof(value)}"
            )
        return bytes(value)
    if isinstance(value, np.void) or (isinstance(value, np.ndarray) and value.dtype.names is not None):
        if value.size != 1:
            raise ArgumentTypeError(f"{name}: expected one {spell(type)}, got an array of {value.size}")
        if not same_layout(value.dtype, type):
            raise ArgumentTypeError(
                f"{name}: the layout of {spell(type)} is not that of {value.dtype}\n"
                "hint: dtype_of() of the gradient gives the NumPy type of an argument, or pass a dict"
            )
        return value.tobytes()
    uniform = uniform_scalar(type)
    if uniform is None or isinstance(value, Mapping | str | bytes):
        return None
    scalar, count = uniform
    if isinstance(value, complex | np.complexfloating):
        value = (value.real, value.imag)
    if not isinstance(value, list | tuple | np.ndarray):
        return None
    numbers = np.ravel(value).tolist() if isinstance(value, np.ndarray) else list(_flat(value))
    if len(numbers) != count:
        raise ArgumentTypeError(f"{name}: {spell(type)} is {count} numbers, got {len(numbers)}")
    values = [convert(f"{name}[{k}]", scalar, number).value for k, number in enumerate(numbers)]
    return bytes((ctype_of(scalar) * count)(*values))


def _flat(values: Sequence[Any]) -> Iterator[object]:
    for value in values:
        if isinstance(value, list | tuple):
            yield from _flat(value)
        else:
            yield value


def _sequence(name: str, type: Array, length: int, value: object) -> Sequence[Any] | NDArray[Any]:
    """The values of an array's elements; rows may be given as one flat array."""
    if isinstance(value, np.ndarray) and value.ndim == 1 and isinstance(type.element, Array):
        if len(value) == length * count_of(type.element):
            return value.reshape(length, -1)
    elif not isinstance(value, list | tuple | np.ndarray) or (isinstance(value, np.ndarray) and value.ndim == 0):
        raise ArgumentTypeError(f"{name}: expected {length} values ({spell(type)}), got {_kind_of(value)}")
    if len(value) != length:
        raise ArgumentTypeError(f"{name}: expected {length} values ({spell(type)}), got {len(value)}")
    return value


def _names(type: Struct) -> list[str]:
    """The members that may be named, those of bases too."""
    names = []
    for member in members_of(type):
        names.append(member.name)
        if member.base and isinstance(member.type, Struct):
            names += _names(member.type)
    return names


def _inherited(base: Member, values: Mapping[Any, object]) -> bool:
    assert isinstance(base.type, Struct)
    return any(n in values for n in _names(base.type))


def _check_members(
    name: str, type: Struct, members: Sequence[Member], given: Sequence[Member], *, required: bool
) -> None:
    """Every byte has one value: a member without one shares its memory with another's, as in a union."""
    bits = next((f.name for f in type.fields if f.bits is not None), None)
    if bits is not None and required:
        raise ArgumentTypeError(
            f"{name}.{bits} is a bit-field, which cannot be set by its name\n"
            f"hint: pass a ctypes.Structure with the layout of {spell(type)}"
        )
    for k, member in enumerate(given):
        for other in given[:k]:
            if overlap(member, other):
                raise ArgumentTypeError(f"{name}: {other.name} and {member.name} share their memory; give one of them")
    if required:
        for member in members:
            if member not in given and not any(overlap(member, other) for other in given):
                raise ArgumentTypeError(f"{name}.{member.name}: no value is given ({spell(member.type)})")


def has_adjoint(type: Type) -> bool:
    """Whether a part of an object that holds pointers has a place in its adjoint: pointers that lead to floats do."""
    match type:
        case Pointer() | Reference():
            return leads_to_floats(type)
        case Array(element):
            return has_adjoint(element)
        case Struct():
            return any(has_adjoint(m.type) for m in members_of(type))
        case _:
            return False


def _has_members(type: Struct, value: object) -> bool:
    """Whether it is an object with attributes like the class's members."""
    if value is None or isinstance(value, int | float | complex | str | bytes | list | tuple | np.generic):
        return False
    return not is_array(value) and any(hasattr(value, name) for name in _names(type))


def _is_addresses(value: object) -> bool:
    """An array of addresses, as opposed to rows: of one dimension, of eight-byte integers."""
    if isinstance(value, np.ndarray):
        return value.ndim == 1 and value.dtype.kind in "iu" and value.dtype.itemsize == 8
    return is_array(value)


def is_one(type: Struct, value: object) -> bool:
    """Whether it is one object by its members, a vector of vectors by its rows, or a view by its array."""
    if (
        isinstance(value, Mapping)
        or view_class(type) is not None
        or (rows_in(type) is not None and isinstance(value, list | tuple))
    ):
        return True
    return hasattr(value, "__dict__") and not is_array(value) and not isinstance(value, ctypes.Structure)


def _is_several(value: object) -> bool:
    return isinstance(value, list | tuple | Mapping | ctypes.Structure) or hasattr(value, "__dict__")


def _cannot_be_passed(name: str, type: Type) -> NoReturn:
    raise LaunchError(f"{name}: a parameter of type {spell(type)} cannot be passed from Python")


def _no_member(name: str, type: Struct, unknown: str) -> NoReturn:
    known = ", ".join(_names(type)) or "no members"
    raise ArgumentTypeError(f"{name}: {spell(type)} has no member '{unknown}'; it has {known}")


def _expected(type: Struct) -> str:
    uniform = uniform_scalar(type)
    numbers = f"{uniform[1]} numbers, " if uniform else ""
    return f"{numbers}a dict, a structured scalar or a ctypes.Structure ({spell(type)})"


def _kind_of(value: object) -> str:
    if is_array(value):
        return "an array"
    return "None" if value is None else f"an object of type {type(value).__name__}"
