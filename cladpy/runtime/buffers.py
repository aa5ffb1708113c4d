"""Arrays for pointers: an array must hold the elements that the pointer leads to, in their layout."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from cladpy.diagnostics import ArgumentTypeError, LaunchError
from cladpy.ir.types import FLOAT, Array, Opaque, Pointer, Reference, Scalar, Struct, Type, Void, size_of, spell
from cladpy.runtime.arrays import ArrayView, is_immutable, view_of
from cladpy.runtime.scalars import dtype_of, name_of, same_dtype
from cladpy.runtime.structs import leaves_of, uniform_scalar


def array_for(name: str, type: Pointer | Reference, value: object, *, written: bool) -> ArrayView:
    """The view of an array whose elements are of the type pointed to; flat, or with the extents of an element as its
    last ones. Raises LaunchError or ArgumentTypeError."""
    element = pointee_of(type)
    core, extents = _core(element)
    try:
        view = view_of(value)
    except ArgumentTypeError as error:
        raise ArgumentTypeError(f"{name}: {error}") from None
    if view is None:
        raise ArgumentTypeError(f"{name}: expected an array {described(core)}, got {_kind_of(value)}")
    if not _fits(view.dtype, core):
        hint = _dtype_hint(core, view.dtype)
        raise ArgumentTypeError(f"{name}: expected an array {described(core)}, got one of {view.dtype}{hint}")
    if not view.contiguous:
        raise LaunchError(
            f"{name}: the array is not contiguous (C order, aligned)\nhint: pass numpy.ascontiguousarray(...)"
        )
    if view.read_only and written:
        library = value.__class__.__module__.partition(".")[0]
        why = f" ({library} never changes its arrays)" if is_immutable(value) else ""
        raise ArgumentTypeError(
            f"{name}: the array is read-only{why}, but its parameter is {spell(type)}, which may be written\n"
            "hint: pass a copy that may be written, such as numpy.array(...)"
        )
    if isinstance(core, Struct) and view.dtype.names is None:
        extents = (*extents, _numbers(core, view.dtype))
    if extents:
        _check_extents(name, type, view, extents)
    return view


def pointee_of(type: Pointer | Reference) -> Type:
    return type.pointee if isinstance(type, Pointer) else type.referee


def count_in(type: Pointer | Reference, view: ArrayView) -> int:
    """How many scalars, objects or pointers the array holds."""
    core, _ = _core(pointee_of(type))
    return view.nbytes // size_of(core) if isinstance(core, Struct) else view.size


def count_of(type: Type) -> int:
    """How many scalars, objects or pointers one element is."""
    return math.prod(_core(type)[1])


def same_layout(given: np.dtype[Any], struct: Struct) -> bool:
    """Whether an object of the class has these bytes. The names need not agree, only what lies where."""
    if given.names is None or given.itemsize != struct.record.size:
        return False
    wanted = {(leaf.offset, *_class_of(leaf.type)) for leaf in leaves_of(struct)}
    taken = bytearray(given.itemsize)  # bytes of leaves, then those that the given type has a number for
    for offset, _, width in wanted:
        taken[offset : offset + width] = b"\1" * width
    for offset, kind, width in _dtype_leaves(given, 0):
        if (offset, kind, width) in wanted:
            taken[offset : offset + width] = b"\2" * width
        elif any(taken[offset : offset + width]):
            return False
    return 1 not in taken


def _core(type: Type) -> tuple[Type, tuple[int, ...]]:
    extents: list[int] = []
    while isinstance(type, Array):
        extents.append(type.length)
        type = type.element
    return type, tuple(extents)


def described(core: Type, *, one: bool = False) -> str:
    """What an array holds for elements of a type, or for a single one."""
    of = "of one" if one else "of"
    match core:
        case Void():
            return "of any type"
        case Scalar():
            return f"{of} {name_of(dtype_of(core))}"
        case Pointer() | Reference() | Opaque():
            return f"{of} {'address' if one else 'addresses'} (uint64)"
        case _:
            uniform = uniform_scalar(core)
            numbers = f" or of {name_of(dtype_of(uniform[0]))}" if uniform else ""
            return f"{of} {spell(core)}{numbers}"


def _dtype_hint(core: Type, given: np.dtype[Any]) -> str:
    if core == FLOAT and given.itemsize == 2:
        return "\nhint: adjoints of __half and __nv_bfloat16 are held in float32"
    if not isinstance(core, Struct) or uniform_scalar(core):
        return ""
    return f"\nhint: dtype_of() of the gradient gives the NumPy type of an argument, here that of {spell(core)}"


def _fits(given: np.dtype[Any], core: Type) -> bool:
    match core:
        case Void():
            return True
        case Scalar():
            return same_dtype(given, dtype_of(core))
        case Pointer() | Reference() | Opaque():
            return given.kind in "iu" and given.itemsize == 8 and given.isnative
        case Struct():
            return _numbers(core, given) > 0 if given.names is None else same_layout(given, core)
        case _:
            return False


def _numbers(struct: Struct, given: np.dtype[Any]) -> int:
    """How many numbers of this type an object is; 0 where it is none. A complex number is two."""
    uniform = uniform_scalar(struct)
    if uniform is None:
        return 0
    scalar, count = uniform
    if given.kind == "c" and dtype_of(scalar).kind == "f" and given.itemsize == 2 * size_of(scalar) and given.isnative:
        return count // 2 if count % 2 == 0 else 0
    return count if same_dtype(given, dtype_of(scalar)) else 0


def _check_extents(name: str, type: Pointer | Reference, view: ArrayView, extents: tuple[int, ...]) -> None:
    """Flat and of whole elements, or with last extents that together are one element."""
    count = math.prod(extents)
    if len(view.shape) == 1:
        fits = view.size % count == 0
    else:
        fits = view.shape[-len(extents) :] == extents
        if not fits and isinstance(_core(pointee_of(type))[0], Struct):
            fits = count in (math.prod(view.shape[k:]) for k in range(len(view.shape) + 1))
    if not fits:
        inner = ", ".join(str(n) for n in extents if n != 1) or "1"
        raise LaunchError(
            f"{name}: an array of shape {view.shape} does not fit {spell(type)}\n"
            f"hint: pass an array of shape (..., {inner}), or a flat one"
        )


def _class_of(type: Scalar | Pointer) -> tuple[str, int]:
    """What has to agree: whether it is floating, and the width."""
    if isinstance(type, Pointer):
        return "i", 8
    return "f" if dtype_of(type).kind == "f" else "i", size_of(type)


def _dtype_leaves(given: np.dtype[Any], offset: int) -> Iterator[tuple[int, str, int]]:
    if given.subdtype is not None:
        base, shape = given.subdtype
        for k in range(math.prod(shape)):
            yield from _dtype_leaves(base, offset + k * base.itemsize)
    elif given.fields is not None:
        for described in given.fields.values():
            yield from _dtype_leaves(described[0], offset + described[1])
    elif given.kind == "c":
        for k in range(2):
            yield offset + k * given.itemsize // 2, "f", given.itemsize // 2
    elif given.kind != "V":  # raw bytes are padding
        kind = "i" if given.kind in "iub" else given.kind
        yield offset, kind if given.isnative else "?", given.itemsize


def _kind_of(value: object) -> str:
    return "None" if value is None else f"an object of type {type(value).__name__}"
