"""Arguments of a check as values of its own: private copies in one form for each kind of type.

A number is an array of one element, an object a structured one; a pointer leads to an array of numbers or of objects.
An object that holds pointers is a dict of its members, a table of pointers a list; null is None.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any

import numpy as np
import numpy.typing as npt

from cladpy.diagnostics import ArgumentTypeError, LaunchError
from cladpy.ir.beside import numbers_beside
from cladpy.ir.halves import adjoint_value, is_pair
from cladpy.ir.symbols import Symbol
from cladpy.ir.types import (
    BFLOAT16,
    FLOAT,
    Opaque,
    Pointer,
    Reference,
    Scalar,
    Struct,
    Type,
    holds_pointers,
    is_half,
    scalar_of,
    spell,
    strip_reference,
    vector_in,
)
from cladpy.ir.types import Array as Rows
from cladpy.runtime.buffers import array_for
from cladpy.runtime.guards import Guards
from cladpy.runtime.passing import block_for, has_adjoint
from cladpy.runtime.scalars import bfloat16_values
from cladpy.runtime.structs import dtype_of, float_leaves, members_of

Array = npt.NDArray[Any]
# An array, a dict of members, a list of what a table leads to, or None.
Tree = Any


def element_dtype(type: Type) -> np.dtype[Any]:
    """The dtype of a value, or of what a pointer or an array leads to in the end.

    Raises ArgumentTypeError for a type that a check cannot make values of.
    """
    core = scalar_of(type)
    if not isinstance(core, Scalar | Struct):
        raise ArgumentTypeError(f"a check cannot make values of type '{spell(type)}'")
    return dtype_of(core)


def has_floats(type: Type) -> bool:
    """Whether an argument of this type can have a derivative."""
    inner = strip_reference(type)
    if isinstance(inner, Scalar | Struct | Rows) and not holds_pointers(inner):
        return bool(float_leaves(inner))
    return has_adjoint(inner) or bool(numbers_beside(inner))


def is_buffer(type: Type) -> bool:
    """Whether the argument is an array: of a pointer, or of a reference to an array."""
    return isinstance(strip_reference(type), Pointer | Rows)


def private_copies(parameters: Sequence[Symbol], args: Sequence[Any]) -> list[Tree]:
    """A copy of each argument, with the parameter's dtype; the shapes of arrays are the caller's.

    Raises LaunchError for a wrong number of arguments, ArgumentTypeError for what does not fit.
    """
    if len(parameters) != len(args):
        names = ", ".join(p.name for p in parameters)
        raise LaunchError(f"expected {len(parameters)} arguments ({names}), got {len(args)}")
    return [_copy(p.type, value, p.name) for p, value in zip(parameters, args, strict=True)]


def _copy(type: Type, value: Any, name: str) -> Tree:
    inner = strip_reference(type)
    match inner:
        case Pointer() | Opaque() if value is None:
            return None
        case Pointer(Struct() as pointee) if isinstance(value, Mapping):
            block_for(name, inner, value, adjoint=False)
            return _members(pointee, value, name)
        case Struct() if (data := vector_in(inner)) is not None:
            return _copy(data, value, name)
        case Pointer(pointee) if isinstance(pointee, Pointer) or (
            isinstance(scalar_of(pointee), Struct) and holds_pointers(pointee)
        ):
            if not isinstance(value, list | tuple | np.ndarray):
                raise ArgumentTypeError(f"{name}: {spell(type)} takes a list of what its pointers lead to")
            return [_copy(pointee, v, f"{name}[{k}]") for k, v in enumerate(value)]
        case Pointer() | Rows():
            array = np.asarray(value)
            of = inner if isinstance(inner, Pointer) else Reference(inner)
            array_for(name, of, np.ascontiguousarray(array), written=False)
            if array.dtype.kind == "c":
                array = np.ascontiguousarray(array)[..., None].view(array.real.dtype)
            core = scalar_of(inner.pointee if isinstance(inner, Pointer) else inner)
            if array.dtype.names is not None and isinstance(core, Struct):  # the caller's own names for the same bytes
                return _same_bytes(array).view(dtype_of(core))
            return _same_bytes(array)
        case Struct() if holds_pointers(inner):
            block_for(name, inner, value, adjoint=False)
            return _members(inner, value, name)
        case Struct() | Scalar():
            one = value[0] if isinstance(inner, Scalar) and np.shape(value) == (1,) else value
            return block_for(name, inner, one, adjoint=False).data.view(dtype_of(inner))
        case _:
            raise ArgumentTypeError(f"a check cannot make values of type '{spell(type)}'")


def variable_copy(type: Type, value: Any, name: str) -> Tree:
    """A copy of what a variable at namespace scope holds."""
    return _member(type, value, name)


def refreshed(type: Type, tree: Tree, content: Array) -> Tree:
    """What a variable holds now, from its bytes; where pointers lead is there already."""
    if isinstance(tree, dict):
        assert isinstance(type, Struct)
        types = {m.name: m.type for m in members_of(type)}
        return {name: refreshed(types[name], part, content[name]) for name, part in tree.items()}
    if isinstance(tree, list) and isinstance(type, Rows):
        return [refreshed(type.element, part, content[k]) for k, part in enumerate(tree)]
    if tree is None or isinstance(type, Pointer):
        return tree
    return np.array(content).reshape(tree.shape)


def copy_of(tree: Tree) -> Tree:
    """The same values in arrays of their own."""
    if isinstance(tree, dict):
        return {name: copy_of(part) for name, part in tree.items()}
    if isinstance(tree, list):
        return [copy_of(part) for part in tree]
    return _same_bytes(tree) if isinstance(tree, np.ndarray) else deepcopy(tree)


def guarded(tree: Tree, name: str, guards: Guards) -> Tree:
    """The same with arrays in guarded memory, under their names."""
    if isinstance(tree, dict):
        return {key: guarded(part, f"{name}.{key}", guards) for key, part in tree.items()}
    if isinstance(tree, list):
        return [guarded(part, f"{name}[{k}]", guards) for k, part in enumerate(tree)]
    return guards.copy(tree, name) if isinstance(tree, np.ndarray) else deepcopy(tree)


def _same_bytes(array: Array) -> Array:
    """A copy in C order with all bytes: NumPy copies those that have a name, and bit-fields have none."""
    copied = np.array(array, order="C", copy=True)
    if array.dtype.names is not None:
        given = np.ascontiguousarray(array)
        copied.reshape(-1).view(np.uint8)[...] = given.reshape(-1).view(np.uint8)
    return copied


def _members(type: Struct, value: Any, name: str) -> dict[str, Tree]:
    """The members that have values, those of a base in a dict of their own."""
    if not isinstance(value, Mapping) and not any(hasattr(value, m.name) for m in members_of(type)):
        raise ArgumentTypeError(f"{name}: a check takes a {spell(type)} as a dict of its members")
    found: dict[str, Tree] = {}
    for member in members_of(type):
        known = member.name in value if isinstance(value, Mapping) else hasattr(value, member.name)
        path = f"{name}.{member.name}"
        if known:
            part = value[member.name] if isinstance(value, Mapping) else getattr(value, member.name)
            found[member.name] = _member(member.type, part, path)
        elif member.base:
            assert isinstance(member.type, Struct)
            own = {m.name for m in members_of(member.type)}
            inherited = {k: v for k, v in value.items() if k in own} if isinstance(value, Mapping) else value
            found[member.name] = _member(member.type, inherited, path)
    return found


def _member(type: Type, value: Any, name: str) -> Tree:
    if isinstance(type, Rows) and not holds_pointers(type):
        width = block_for(name, type, value, adjoint=False).data.view(element_dtype(type))
        return width.reshape(dtype_of(type).shape)
    if isinstance(type, Rows):
        return [_member(type.element, v, f"{name}[{k}]") for k, v in enumerate(value)]
    return _copy(type, value, name)


def object_type(type: Type) -> Struct:
    """The class of an object that a dict stands for."""
    inner = strip_reference(type)
    inner = inner.pointee if isinstance(inner, Pointer) else inner
    assert isinstance(inner, Struct)
    return inner


def passed(type: Type, tree: Tree, *, changed: bool = False) -> Any:
    """What the runtime takes for a copy: numbers and objects by value as scalars of NumPy, those that the call may have
    `changed` as arrays."""
    inner = strip_reference(type)
    if isinstance(tree, dict):
        changed = not type.const if isinstance(type, Pointer | Reference) else changed
        types = {m.name: m.type for m in members_of(object_type(type))}
        return {name: passed(types[name], part, changed=changed) for name, part in tree.items()}
    if isinstance(tree, list):
        element = inner.pointee if isinstance(inner, Pointer) else inner.element  # type: ignore[union-attr]
        return [passed(element, part) for part in tree]
    written = changed or (isinstance(type, Reference) and not type.const)
    if inner == BFLOAT16 and not written:
        return float(bfloat16_values(tree).reshape(-1)[0])
    by_value = isinstance(inner, Scalar | Struct) and isinstance(tree, np.ndarray) and not written
    by_value = by_value and vector_in(inner) is None
    return tree.reshape(-1)[0] if by_value else tree


def shadow_of(type: Type, tree: Tree, *, numbers: bool = True, in_arrays: bool = False, wide: bool = True) -> Tree:
    """Zeros in the form of what an argument's adjoint is: of an object that holds pointers, what these lead to, and
    the `numbers` beside them; of such objects in an array only where `in_arrays` says so. Those of halves are floats
    where they are `wide`: not in objects, but behind their pointers."""
    inner = strip_reference(type)
    if tree is None or not has_floats(type):
        return None
    if isinstance(tree, dict):
        types = {m.name: m.type for m in members_of(object_type(type)) if m.name in tree}
        held = {n: t for n, t in types.items() if numbers or holds_pointers(t)}
        parts = {
            n: shadow_of(t, tree[n], numbers=numbers, in_arrays=in_arrays, wide=isinstance(t, Pointer))
            for n, t in held.items()
        }
        return {name: part for name, part in parts.items() if part is not None}
    if isinstance(tree, list) and isinstance(inner, Pointer):
        return [shadow_of(inner.pointee, part, numbers=False, wide=wide) for part in tree]
    if isinstance(tree, list):
        assert isinstance(inner, Rows)
        return [
            shadow_of(inner.element, p, numbers=numbers and in_arrays, in_arrays=in_arrays, wide=wide) for p in tree
        ]
    return _wider(inner, tree) if wide else np.zeros_like(tree)


def _wider(type: Type, tree: Array) -> Array:
    """Zeros as adjoints are held: those of halves are floats."""
    core = scalar_of(type)
    if not is_half(core) and not is_pair(core):
        return np.zeros_like(tree)
    wide = adjoint_value(core) if tree.dtype.names is not None or is_half(core) else FLOAT
    return np.zeros(tree.shape, dtype_of(wide))


def floats(type: Type, shadow: Tree, *others: Tree) -> Iterator[tuple[Array, ...]]:
    """The arrays of floating-point numbers in `shadow`, each with the same ones of the others. They are views."""
    return (arrays for _, arrays in _floats(type, "", shadow, *others))


def labels(type: Type, shadow: Tree, name: str) -> Iterator[str]:
    """What the arrays of `floats` are called, with a place for the index of an element: "x{}", "cells{}.weight"."""
    return (label for label, _ in _floats(type, name, shadow))


def _floats(type: Type, name: str, shadow: Tree, *others: Tree) -> Iterator[tuple[str, tuple[Array, ...]]]:
    if shadow is None:
        return
    inner = strip_reference(type)
    if isinstance(shadow, dict):
        for member in members_of(object_type(type)):
            if member.name in shadow:
                of_all = (o[member.name] for o in (shadow, *others))
                yield from _floats(member.type, f"{name}.{member.name}", *of_all)
    elif isinstance(shadow, list):
        element = inner.pointee if isinstance(inner, Pointer) else inner.element  # type: ignore[union-attr]
        for k, parts in enumerate(zip(shadow, *others, strict=True)):
            yield from _floats(element, f"{name}[{k}]", *parts)
    else:
        arrays = tuple(np.asarray(a) for a in (shadow, *others))
        inner = vector_in(inner) or inner
        label = name if isinstance(inner, Scalar | Struct) else f"{name}{{}}"
        if arrays[0].dtype.names is not None:
            yield from _parts(scalar_of(inner), label, arrays, tuple(a.ndim for a in arrays), 0, set())
        elif arrays[0].dtype.kind == "f":
            yield label, arrays


def _parts(
    type: Type, name: str, arrays: tuple[Array, ...], axes: tuple[int, ...], offset: int, seen: set[int]
) -> Iterator[tuple[str, tuple[Array, ...]]]:
    """The numbers of objects; those of a union's members that are one number, once."""
    match type:
        case Struct():
            for member in members_of(type):
                if float_leaves(member.type):
                    inner = tuple(a[member.name] for a in arrays)
                    yield from _parts(member.type, f"{name}.{member.name}", inner, axes, offset + member.offset, seen)
        case Rows(element, length):
            width = dtype_of(element).itemsize
            for k in range(length):
                inner = tuple(a[(slice(None),) * n + (k,)] for a, n in zip(arrays, axes, strict=True))
                yield from _parts(element, f"{name}[{k}]", inner, axes, offset + k * width, seen)
        case _:
            if offset not in seen:
                seen.add(offset)
                yield name, arrays


def contents(tree: Tree, name: str) -> Iterator[tuple[str, Array]]:
    """All arrays of numbers in a tree, integers too, with the names of the parts that they are."""
    if isinstance(tree, dict):
        for key, part in tree.items():
            yield from contents(part, f"{name}.{key}")
    elif isinstance(tree, list):
        for k, part in enumerate(tree):
            yield from contents(part, f"{name}[{k}]")
    elif tree is not None:
        array = np.asarray(tree)
        if array.dtype.names is None:
            yield name, array
        else:
            for key in array.dtype.names:
                yield from contents(array[key], f"{name}.{key}")


def triple(shape: int | Sequence[int]) -> tuple[int, int, int]:
    """A grid or block as three extents. Raises LaunchError for anything but one to three positive integers."""
    extents = (shape,) if isinstance(shape, (int, np.integer)) else tuple(shape)
    if not 1 <= len(extents) <= 3 or any(int(e) != e or e < 1 for e in extents):
        raise LaunchError(f"grid and block are one to three positive integers, got {shape!r}")
    padded = [*map(int, extents), 1, 1]
    return padded[0], padded[1], padded[2]
