"""Checks the arguments of an execute call against the parameters, before anything is compiled or launched."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cladpy.derivative import Derivative
from cladpy.diagnostics import ArgumentTypeError, LaunchError
from cladpy.ir.types import Array, Pointer, Reference, Scalar, Type, Void, decay, scalar_of, spell
from cladpy.runtime.arrays import ArrayView, view_of
from cladpy.runtime.scalars import convert, dtype_of, same_dtype


@dataclass(frozen=True, slots=True)
class Slot:
    """A parameter of the call. `adjoint_of` is the position of the primal's parameter, None for the primal's own."""

    name: str
    type: Type
    adjoint_of: int | None = None


@dataclass(frozen=True, slots=True)
class Argument:
    """A checked argument: an array, or a scalar's C value."""

    slot: Slot
    array: ArrayView | None
    scalar: ctypes._SimpleCData[Any] | None

    @property
    def written(self) -> bool:
        """Whether the call may store through it."""
        return isinstance(self.slot.type, (Pointer, Reference)) and not self.slot.type.const


def slots_of(derivative: Derivative, *, gradient: bool) -> tuple[Slot, ...]:
    """What a call takes, in order: the primal's parameters, then, for the gradient, the adjoints."""
    primal = tuple(
        Slot(p.name or f"argument {k}", decay(p.type) if isinstance(p.type, Array) else p.type)
        for k, p in enumerate(derivative.parameters)
    )
    if not gradient:
        return primal
    return primal + tuple(Slot(a.name, a.type, a.parameter) for a in derivative.adjoints)


def check(call: str, slots: Sequence[Slot], values: Sequence[object], *, may_alias: bool = False) -> list[Argument]:
    """The arguments of `call` (a word for messages). Raises LaunchError or ArgumentTypeError."""
    if len(values) != len(slots):
        names = ", ".join(s.name for s in slots)
        raise LaunchError(f"{call} takes {len(slots)} arguments ({names}), got {len(values)}")
    arguments = [_check_one(slot, value) for slot, value in zip(slots, values, strict=True)]
    for argument in arguments:
        if argument.slot.adjoint_of is not None:
            _check_adjoint_size(argument, arguments[argument.slot.adjoint_of])
    if any(a.slot.adjoint_of is not None for a in arguments):
        _check_overlaps(arguments, may_alias)
    return arguments


def _check_one(slot: Slot, value: object) -> Argument:
    match slot.type:
        case Scalar():
            if view_is_array(value):
                raise ArgumentTypeError(f"{slot.name}: expected a number ({spell(slot.type)}), got an array")
            return Argument(slot, None, convert(slot.name, slot.type, value))
        case Pointer(pointee=Scalar() | Void() as element):
            return Argument(slot, _array(slot, element, value), None)
        case Pointer(pointee=Array() as row) if isinstance(scalar_of(row), Scalar):
            return Argument(slot, _rows(slot, row, value), None)
        case Reference(referee=Array() as whole) if isinstance(scalar_of(whole), Scalar):
            array = _rows(slot, whole, value)
            if array.size != _count(whole):
                raise LaunchError(f"{slot.name}: expected an array of {_count(whole)} elements, got {array.size}")
            return Argument(slot, array, None)
        case Reference(referee=Scalar() as element, const=const):
            if const and not view_is_array(value):
                number = convert(slot.name, element, value)
                return Argument(slot, view_of(np.array([number.value], dtype_of(element))), None)
            array = _array(slot, element, value)
            if array.size != 1:
                raise LaunchError(f"{slot.name}: expected an array of one element, got {array.size}")
            return Argument(slot, array, None)
        case _:
            raise LaunchError(f"{slot.name}: a parameter of type {spell(slot.type)} cannot be passed from Python")


def view_is_array(value: object) -> bool:
    """True for arrays with an extent; NumPy's arrays without are numbers."""
    if isinstance(value, np.ndarray):
        return value.ndim > 0
    return not isinstance(value, np.generic) and (
        hasattr(value, "__dlpack__") or hasattr(value, "__cuda_array_interface__")
    )


def _array(slot: Slot, element: Scalar | Void, value: object) -> ArrayView:
    wanted = "of any type" if isinstance(element, Void) else f"of {dtype_of(element).name}"
    try:
        view = view_of(value)
    except ArgumentTypeError as error:
        raise ArgumentTypeError(f"{slot.name}: {error}") from None
    if view is None:
        got = "None" if value is None else f"an object of type {type(value).__name__}"
        raise ArgumentTypeError(f"{slot.name}: expected an array {wanted}, got {got}")
    if isinstance(element, Scalar) and not same_dtype(view.dtype, dtype_of(element)):
        raise ArgumentTypeError(f"{slot.name}: expected an array {wanted}, got one of {view.dtype}")
    if not view.contiguous:
        raise LaunchError(
            f"{slot.name}: the array is not contiguous (C order, aligned)\nhint: pass numpy.ascontiguousarray(...)"
        )
    pointer_type = slot.type
    const = isinstance(pointer_type, (Pointer, Reference)) and pointer_type.const
    if view.read_only and not const:
        raise ArgumentTypeError(
            f"{slot.name}: the array is read-only, but its parameter is {spell(slot.type)}, which may be written"
        )
    return view


def _rows(slot: Slot, row: Array, value: object) -> ArrayView:
    """An array whose rows are C arrays: flat, or with the row's extents as its last ones."""
    element = scalar_of(row)
    assert isinstance(element, Scalar)
    view = _array(slot, element, value)
    extents = _extents(row)
    fits = view.size % _count(row) == 0 if len(view.shape) == 1 else view.shape[-len(extents) :] == extents
    if not fits:
        inner = ", ".join(map(str, extents))
        raise LaunchError(
            f"{slot.name}: an array of shape {view.shape} does not fit {spell(slot.type)}\n"
            f"hint: pass an array of shape (..., {inner}), or a flat one"
        )
    return view


def _extents(array: Array) -> tuple[int, ...]:
    inner = array.element
    return (array.length, *(_extents(inner) if isinstance(inner, Array) else ()))


def _count(array: Array) -> int:
    return math.prod(_extents(array))


def _check_adjoint_size(adjoint: Argument, primal: Argument) -> None:
    given = adjoint.array.size if adjoint.array is not None else 0
    if primal.array is None:
        if given != 1:
            raise LaunchError(
                f"{adjoint.slot.name}: the adjoint of the scalar {primal.slot.name} is an array of one element, "
                f"got {given}"
            )
    elif given != primal.array.size:
        raise LaunchError(
            f"{adjoint.slot.name}: expected {primal.array.size} elements, as {primal.slot.name} has, got {given}"
        )


def _check_overlaps(arguments: Sequence[Argument], may_alias: bool) -> None:
    """A gradient is wrong where an adjoint shares memory, or where distinct pointers overlap and are written."""
    arrays = [(a, a.array) for a in arguments if a.array is not None and a.array.nbytes]
    for k, (first, one) in enumerate(arrays):
        for second, other in arrays[k + 1 :]:
            if one.on_host != other.on_host:
                continue
            if one.pointer + one.nbytes <= other.pointer or other.pointer + other.nbytes <= one.pointer:
                continue
            if first.slot.adjoint_of is not None or second.slot.adjoint_of is not None:
                raise LaunchError(f"{first.slot.name} and {second.slot.name} share memory; an adjoint needs its own")
            if (first.written or second.written) and not may_alias:
                raise LaunchError(
                    f"{first.slot.name} and {second.slot.name} share memory, and the gradient takes pointers that may "
                    "be written to be distinct\nhint: pass a copy, or make both parameters pointers to const"
                )
