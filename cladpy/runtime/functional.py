"""The functional form of a call: adjoints are made for it, of the kinds of the arguments, and are what it gives."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NoReturn

import numpy as np

from cladpy.derivative import Derivative
from cladpy.diagnostics import ArgumentTypeError, LaunchError
from cladpy.ir.halves import adjoint_value
from cladpy.ir.types import (
    Array,
    Pointer,
    Reference,
    Struct,
    Type,
    holds_pointers,
    is_floating,
    scalar_of,
    vector_in,
)
from cladpy.runtime.arguments import Argument
from cladpy.runtime.arrays import ArrayView, view_of
from cladpy.runtime.buffers import pointee_of
from cladpy.runtime.cotangents import writes_variables
from cladpy.runtime.passing import has_adjoint, is_array, is_one
from cladpy.runtime.structs import dtype_of, float_leaves, members_of
from cladpy.toolchain.entry import takes_cotangent

RETURN = "return"  # what the value of a function is called among cotangents: no parameter has that name


@dataclass(frozen=True, slots=True)
class Kind:
    """What makes an adjoint for another argument of the same type, shape and place; of a number the caller gets the
    element."""

    make: Callable[[], Any]
    is_number: bool = False


@dataclass(frozen=True, slots=True)
class Made:
    """An adjoint that has been made: what a call is given, and what the caller gets when it is done."""

    given: Any
    result: Callable[[], Any]
    kind: Kind | None = None  # None where more has to be looked at


def adjoints_for(
    derivative: Derivative,
    values: Sequence[object],
    arguments: Sequence[Argument],
    cotangents: Mapping[str, object],
) -> dict[str, Made]:
    """Adjoints for the arguments of the primal, by the names of its parameters: zero, or the cotangents. `arguments`
    are the values, checked.

    Raises LaunchError for cotangents of what is no output, and ArgumentTypeError for what does not fit.
    """
    _check_names(derivative, cotangents)
    made = {}
    shared = _Shared(_written_memory(arguments) if derivative.options.may_alias else frozenset())
    for adjoint in derivative.adjoints:
        parameter = derivative.parameters[adjoint.parameter]
        type = parameter.type
        name = parameter.name
        maker = _Maker(derivative, name, shared)
        made[name] = maker.make(name, type, values[adjoint.parameter], top=True)
        if name in cotangents:
            for other in shared.partners.get(name, ()):
                if other in cotangents:
                    both = f"'{other}' and '{name}'"
                    raise LaunchError(f"cotangents: {both} are one memory, which has one\nhint: leave one of them out")
            _fill(f"cotangents[{name!r}]", name, made[name].given, cotangents[name])
    return made


def seed_of(derivative: Derivative, cotangents: Mapping[str, object] | None) -> dict[str, object]:
    """The cotangent of what the function returns, as a keyword of `execute`: what is named, else 1 where nothing is,
    and 0 where other cotangents are. None for a function that returns nothing with a derivative. Raises LaunchError
    where the call would give nothing but zeros."""
    given = cotangents or {}
    of_value = takes_cotangent(derivative.result)
    if RETURN in given:
        if not of_value:
            raise LaunchError(
                f"cotangents: {derivative.function_name} returns no floating-point value that '{RETURN}' could be"
            )
        return {"cotangent": given[RETURN]}
    if not given and not (of_value and is_floating(derivative.result)) and not writes_variables(derivative):
        outputs = [repr(name) for name in outputs_of(derivative)] + ([repr(RETURN)] if of_value else [])
        listed = f"{', '.join(outputs)} may have one" if outputs else "none of the arguments named is an output"
        raise LaunchError(
            f"no cotangents are given, so that all adjoints of {derivative.function_name} would be zero; {listed}\n"
            "hint: cotangents={name: the derivative of your loss by that output}"
        )
    if not of_value:
        return {}
    if is_floating(derivative.result):
        return {"cotangent": 0.0 if given else 1.0}
    return {"cotangent": np.zeros(1, dtype_of(adjoint_value(derivative.result)))[0]}


def outputs_of(derivative: Derivative) -> list[str]:
    """The arguments with adjoints whose memory the primal writes."""
    written = {name.partition(".")[0].partition("[")[0].removesuffix("->") for name in derivative.written}
    names = [derivative.parameters[a.parameter].name for a in derivative.adjoints]
    return [name for name in names if name in written]


def _check_names(derivative: Derivative, cotangents: Mapping[str, object]) -> None:
    outputs = outputs_of(derivative)
    known = {derivative.parameters[a.parameter].name for a in derivative.adjoints}
    for name in cotangents:
        if name == RETURN or name in outputs:
            continue
        listed = ", ".join(outputs) or "none"
        if name in known:
            raise LaunchError(
                f"cotangents: {derivative.function_name} does not write {name!r}, so that it has no cotangent; outputs "
                f"are: {listed}"
            )
        raise LaunchError(
            f"cotangents: {name!r} is not one of the arguments that are differentiated; outputs among these are: "
            f"{listed}"
        )


@dataclass(slots=True)
class _Shared:
    """Adjoints of arguments that are one memory, which is written: these are one memory too. What overlaps otherwise is
    refused with the call."""

    memory: frozenset[tuple[int, int]]  # address and size
    made: dict[tuple[int, int], tuple[str, Any]] = field(default_factory=dict)  # the first argument, and its adjoint
    partners: dict[str, list[str]] = field(default_factory=dict)  # of an argument, those before it

    def known(self, parameter: str, view: ArrayView) -> Any:
        """The adjoint that an earlier argument has for this memory; None where there is none."""
        if (view.pointer, view.nbytes) not in self.made:
            return None
        first, adjoint = self.made[view.pointer, view.nbytes]
        if first != parameter:
            self.partners.setdefault(parameter, []).append(first)
        return adjoint

    def remember(self, parameter: str, view: ArrayView, adjoint: Any) -> None:
        if (view.pointer, view.nbytes) in self.memory:
            self.made[view.pointer, view.nbytes] = parameter, adjoint


def _written_memory(arguments: Sequence[Argument]) -> frozenset[tuple[int, int]]:
    arrays = (found for a in arguments for found in a.block.arrays())
    return frozenset((view.pointer, view.nbytes) for place, view in arrays if place.written and view.nbytes)


@dataclass(frozen=True, slots=True)
class _Maker:
    derivative: Derivative
    parameter: str
    shared: _Shared

    def make(self, name: str, type: Type, value: Any, *, top: bool = False) -> Made:
        """The adjoint of a value, or of what it leads to. `top` is an argument, whose numbers are held as
        `adjoint_value` says, as are those that a pointer leads to; a class is its own adjoint."""
        match type:
            case Array() if top:
                return self._array(name, type.element, value, top)
            case Pointer() | Reference():
                return self._pointer(name, type, value)
            case Struct() if (data := vector_in(type)) is not None:
                return self._vector(name, data.pointee, value)
            case Struct() if holds_pointers(type):
                return self._object(name, type, value)
            case _:
                return _cell(adjoint_value(type) if top else type)

    def _pointer(self, name: str, type: Pointer | Reference, value: Any) -> Made:
        element = pointee_of(type)
        core = scalar_of(element) if isinstance(element, Array) else element
        if value is None:
            return Made(None, _nothing, Kind(_nothing))
        if isinstance(core, Struct) and element == core and holds_pointers(core) and is_one(core, value):
            return self.make(name, core, value) if vector_in(core) else self._object(name, core, value, behind=True)
        if isinstance(core, Pointer) and isinstance(value, list | tuple):
            parts = [self.make(f"{name}[{k}]", core, v) for k, v in enumerate(value)]
            return Made([p.given for p in parts], lambda: [p.result() for p in parts])
        if isinstance(core, Struct) and holds_pointers(core) and not is_array(value):
            parts = [self.make(f"{name}[{k}]", core, v) for k, v in enumerate(value)]
            return Made([p.given for p in parts], lambda: [p.result() for p in parts])
        if isinstance(core, Pointer) or holds_pointers(core):
            _only_addresses(name)
        if isinstance(type, Reference) and not is_array(value):  # a number for a reference to const
            return _cell(adjoint_value(element))
        return self._array(name, element, value, top=True)

    def _vector(self, name: str, element: Type, value: Any) -> Made:
        if not holds_pointers(element):
            return self._array(name, element, value, top=False)
        rows = [self.make(f"{name}[{k}]", element, v) for k, v in enumerate(value)]
        return Made([r.given for r in rows], lambda: [r.result() for r in rows])

    def _array(self, name: str, element: Type, value: Any, top: bool) -> Made:
        view = view_of(value)
        if view is None:
            raise ArgumentTypeError(f"{name}: expected an array, got an object of type {type(value).__name__}")
        core = scalar_of(element)
        held = adjoint_value(core) if top else core
        dtype = view.dtype
        if held != core:
            dtype = dtype_of(scalar_of(held) if dtype.names is not None else _number_of(held))
        make = _zeros_like(name, value, view, dtype, same=held == core)
        zeros = self.shared.known(self.parameter, view)
        if zeros is None or zeros.shape != view.shape:
            zeros = make()
            self.shared.remember(self.parameter, view, zeros)
        return Made(zeros, lambda: zeros, None if self.shared.memory else Kind(make))

    def _object(self, name: str, type: Struct, value: Any, *, behind: bool = False) -> Made:
        """A dict with what its pointers lead to, and with the numbers beside them that are asked for: all of them where
        it lies `behind` a pointer."""
        if value is None or isinstance(value, np.void | np.ndarray | bytes) or hasattr(value, "_fields_"):
            _only_addresses(name)
        beside = None if behind else self._beside()
        parts = self._members(name, type, value, (), beside)
        return Made({k: p.given for k, p in parts.items()}, lambda: {k: p.result() for k, p in parts.items()})

    def _beside(self) -> set[tuple[str, ...]]:
        """The numbers beside pointers of the argument that have adjoints."""
        members, parameters = self.derivative.member_adjoints, self.derivative.parameters
        return {b.path for b in members if parameters[b.parameter].name == self.parameter}

    def _members(
        self, name: str, type: Struct, value: Any, path: tuple[str, ...], beside: set[tuple[str, ...]] | None
    ) -> dict[str, Made]:
        parts: dict[str, Made] = {}
        for member in members_of(type):
            here = (*path, member.name)
            inner = value.get(member.name) if isinstance(value, Mapping) else getattr(value, member.name, None)
            if member.base and inner is None and isinstance(member.type, Struct):
                parts |= self._members(name, member.type, value, path, beside)
            elif has_adjoint(member.type):
                if inner is not None:
                    parts[member.name] = self._member(f"{name}.{member.name}", member.type, inner, here, beside)
            elif (beside is None or here in beside) and float_leaves(member.type):
                parts[member.name] = _numbers(member.type)
        return parts

    def _member(
        self, name: str, type: Type, value: Any, path: tuple[str, ...], beside: set[tuple[str, ...]] | None
    ) -> Made:
        if isinstance(type, Struct) and holds_pointers(type) and vector_in(type) is None:
            parts = self._members(name, type, value, path, beside)
            return Made({k: p.given for k, p in parts.items()}, lambda: {k: p.result() for k, p in parts.items()})
        if isinstance(type, Array):
            several = [
                self._member(f"{name}[{k}]", type.element, v, path, None if beside is None else set())
                for k, v in enumerate(value)
            ]
            return Made([p.given for p in several], lambda: [p.result() for p in several])
        return self.make(name, type, value)


def _nothing() -> None:
    """The adjoint of a null pointer."""


def _cell(held: Type) -> Made:
    """The adjoint of a number, or of an object without pointers."""
    make = partial(np.zeros, 1, dtype_of(held))
    cell = make()
    return Made(cell, lambda: cell[0], Kind(make, is_number=True))


def _numbers(type: Type) -> Made:
    """The adjoint of a number beside pointers, or of an array of them."""
    cell = np.zeros(_extents(type), dtype_of(scalar_of(type)))
    return Made(cell, lambda: cell if isinstance(type, Array) else cell[0])


def _extents(type: Type) -> tuple[int, ...]:
    """Those of an array; one element for anything else."""
    extents: list[int] = []
    while isinstance(type, Array):
        extents.append(type.length)
        type = type.element
    return tuple(extents) or (1,)


def _number_of(type: Type) -> Type:
    """What an object of nothing but like numbers is made of; a number is itself."""
    return type.fields[0].type if isinstance(type, Struct) else type


def _only_addresses(name: str) -> NoReturn:
    raise LaunchError(
        f"{name}: the adjoint of what is known by addresses cannot be made\n"
        "hint: pass dicts and lists of arrays where the addresses stand, or make the adjoints yourself, with execute() "
        "or execute_kernel()"
    )


def _zeros_like(name: str, value: Any, view: ArrayView, dtype: np.dtype[Any], *, same: bool) -> Callable[[], Any]:
    """What makes zeros of an array's kind, in the same memory. `same` says that they have its type."""
    library = type(value).__module__.partition(".")[0]
    if library == "torch":
        import torch

        held = value.dtype if same else getattr(torch, dtype.name)
        return partial(torch.zeros, value.shape, dtype=held, device=value.device)
    if view.on_host:
        return partial(np.zeros, view.shape, dtype)
    if library == "cupy":
        import cupy

        return partial(cupy.zeros, view.shape, dtype)
    if library == "pycuda":
        from pycuda import gpuarray

        return partial(gpuarray.zeros, view.shape, dtype)
    raise LaunchError(
        f"{name}: no zeros can be made beside an array of type {type(value).__name__} on a device\n"
        "hint: make the adjoints yourself, with execute() or execute_kernel()"
    )


def _fill(what: str, name: str, adjoint: Any, cotangent: Any) -> None:
    """Copies a cotangent into an adjoint that has been made. Raises LaunchError and ArgumentTypeError."""
    if isinstance(adjoint, dict):
        if not isinstance(cotangent, Mapping):
            raise ArgumentTypeError(f"{what}: expected a dict with cotangents of the members of {name}")
        for key, inner in cotangent.items():
            if key not in adjoint:
                raise LaunchError(f"{what}: {name} has no adjoint {key!r}; it has {', '.join(adjoint) or 'none'}")
            _fill(f"{what}[{key!r}]", f"{name}.{key}", adjoint[key], inner)
        return
    if isinstance(adjoint, list):
        if not isinstance(cotangent, list | tuple) or len(cotangent) != len(adjoint):
            raise ArgumentTypeError(f"{what}: expected a list of {len(adjoint)} cotangents, as {name} has")
        for k, inner in enumerate(cotangent):
            _fill(f"{what}[{k}]", f"{name}[{k}]", adjoint[k], inner)
        return
    if cotangent is None or adjoint is None:
        raise ArgumentTypeError(f"{what}: expected an array, got None" if adjoint is not None else f"{name} is null")
    _copy(what, name, adjoint, cotangent)


def _copy(what: str, name: str, adjoint: Any, cotangent: Any) -> None:
    wanted = tuple(adjoint.shape)
    library = type(adjoint).__module__.partition(".")[0]
    try:
        source = view_of(cotangent)
    except ArgumentTypeError as error:
        raise ArgumentTypeError(f"{what}: {error}") from None
    if source is None:
        if isinstance(cotangent, bool) or not isinstance(cotangent, int | float | np.number):
            raise ArgumentTypeError(
                f"{what}: expected an array of shape {wanted}, or a number, got an object of type "
                f"{type(cotangent).__name__}"
            )
        given: Any = float(cotangent)
    else:
        if math.prod(source.shape) != math.prod(wanted) or (len(source.shape) > 1 and source.shape != wanted):
            raise LaunchError(f"{what}: expected an array of shape {wanted}, as {name} has, got {source.shape}")
        given = cotangent
    if library == "torch":
        _copy_to_tensor(what, adjoint, given)
        return
    host = given if source is None else _on_host(what, given, source).reshape(wanted)
    dtype, kind = np.dtype(adjoint.dtype), np.asarray(host).dtype
    fits = kind == dtype if dtype.names is not None else np.can_cast(kind, dtype, "same_kind") and kind.kind != "b"
    if source is not None and not fits:
        raise ArgumentTypeError(f"{what}: expected an array of {dtype}, got one of {kind}")
    if source is None and dtype.names is not None:
        raise ArgumentTypeError(f"{what}: expected an array of {dtype}, got a number")
    content = np.broadcast_to(np.asarray(host, dtype) if source is None else host, wanted)
    if isinstance(adjoint, np.ndarray):
        adjoint[...] = content
    else:  # CuPy's and PyCUDA's
        adjoint.set(np.ascontiguousarray(content, dtype))


def _copy_to_tensor(what: str, adjoint: Any, given: Any) -> None:
    import torch

    if isinstance(given, float):
        adjoint.fill_(given)
        return
    tensor = given if isinstance(given, torch.Tensor) else torch.as_tensor(np.array(given))
    if tensor.is_complex() or tensor.dtype == torch.bool:
        raise ArgumentTypeError(f"{what}: expected a tensor of {adjoint.dtype}, got one of {tensor.dtype}")
    adjoint.copy_(tensor.detach().reshape(adjoint.shape))


def _on_host(what: str, given: Any, view: ArrayView) -> Any:
    """An array as NumPy's."""
    if isinstance(given, np.ndarray):
        return given
    if type(given).__module__.partition(".")[0] == "torch":
        return given.detach().cpu().numpy()
    if hasattr(given, "get"):  # CuPy's and PyCUDA's
        return given.get()
    if not view.on_host:
        raise ArgumentTypeError(f"{what}: an array of type {type(given).__name__} on a device cannot be copied from")
    return view.as_numpy().view(view.dtype).reshape(view.shape)
