"""A hand-written backward as a gradient that can be judged: what it is given is made of what the forward leaves, and
what it gives is what a gradient would add to adjoints.

What it has no cotangent of counts as promised to be fresh, and what it gives no gradient by as consumed: so no
direction and no element is of these.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from cladpy.check.arguments import Array, Tree, contents, copy_of, element_dtype, is_buffer
from cladpy.check.elements import numbers
from cladpy.check.handwritten.roles import BEFORE, COTANGENT, GRADIENT, INOUT, RETURN, VALUE, Forward, Role
from cladpy.derivative import Derivative
from cladpy.diagnostics import BackendError, UsageError
from cladpy.ir.symbols import FunctionKind
from cladpy.ir.types import BFLOAT16, Scalar, Type, is_floating, scalar_of, strip_reference
from cladpy.runtime import Gradient
from cladpy.runtime.guards import Guards, guarding
from cladpy.runtime.order import current_order
from cladpy.runtime.scalars import bfloat16_bits

_REVERSE = 1  # the number of that order
_ALIGNED = 16


@dataclass(frozen=True, slots=True)
class Launch:
    """How a kernel is launched; nothing of it is given where the function is no kernel."""

    grid: tuple[int, ...] | None
    block: tuple[int, ...] | None
    shared_mem: int = 0


def forward_of(derivative: Derivative) -> Forward:
    """A forward by its names."""
    found = {derivative.parameters[a.parameter].name for a in derivative.adjoints}
    result = [RETURN] if is_floating(strip_reference(derivative.result)) else []
    return Forward(
        derivative.function_name,
        [*(p.name for p in derivative.parameters), *result],
        [*(p.name for p in derivative.parameters if p.name in found), *result],
        {*(found & derivative.written), *result},
    )


def names_of(backward: Derivative) -> list[str]:
    """What a backward takes, and RETURN where it gives a number."""
    returned = [RETURN] if is_floating(strip_reference(backward.result)) else []
    return [*(p.name for p in backward.parameters), *returned]


class HandWritten(Gradient):
    """Stands where a gradient would, and gives what the backward gives."""

    def __init__(
        self,
        forward: Gradient,
        backward: Gradient,
        roles: Mapping[str, Role],
        launch: Launch,
        own: Mapping[str, Any],
        *,
        scale: float = 1.0,
        begins: float = 0.0,
    ) -> None:
        """`own` are values of the backward's own parameters; its gradients are `scale` times the derivative, and the
        memory for them holds `begins` before."""
        of = forward.derivative
        every = [of.parameters[a.parameter].name for a in of.adjoints]
        given = {role.of for role in roles.values() if role.kind in (COTANGENT, INOUT)}
        made = {role.of for role in roles.values() if role.kind in (GRADIENT, INOUT)}
        promises = replace(
            of.options,
            fresh=tuple(name for name in every if name not in given),
            consumed=tuple(name for name in every if name not in made),
        )
        super().__init__(replace(of, options=promises), forward.backend)
        self._primal = forward.primal
        self._backward, self._roles, self._launch, self._own = backward, roles, launch, own
        self._scale, self._begins = scale, begins

    def _launch_kernel(
        self, grid: object, block: object, args: tuple[object, ...], shared_mem: int, stream: object
    ) -> None:
        self._run(args, 0.0, lambda own: self.primal.execute_kernel(grid, block, *own, shared_mem=shared_mem))

    def execute(self, /, *args: object, cotangent: object = 1.0, **named: object) -> None:
        """As a gradient's, by place."""
        self._run(args, cotangent, lambda own: self.primal.execute(*own))

    def _run(self, values: Sequence[Any], cotangent: Any, forward: Callable[[list[Any]], Any]) -> None:
        of = self.derivative
        before, after, adjoints = self.left(values, cotangent, forward)
        for name, gradient in self._gradients(self.given(before, after, adjoints)).items():
            # what the forward overwrites has no other derivative by what it held
            kept = 0.0 if name in of.written else numbers(flat(adjoints[name]))
            flat(adjoints[name])[...] = kept + gradient / self._scale

    def left(
        self, values: Sequence[Any], cotangent: Any, forward: Callable[[list[Any]], Any]
    ) -> tuple[dict[str, Tree], dict[str, Tree], dict[str, Tree]]:
        """The arguments before the forward has run and after it, and the adjoints, all by the forward's names."""
        of = self.derivative
        before = dict(zip([p.name for p in of.parameters], values, strict=False))
        after = copy_of(before)
        names = [of.parameters[a.parameter].name for a in of.adjoints]
        adjoints = dict(zip(names, values[len(of.parameters) :], strict=True))
        after[RETURN] = forward([after[p.name] for p in of.parameters])
        return before, after, {**adjoints, RETURN: cotangent}

    def given(
        self, before: Mapping[str, Tree], after: Mapping[str, Tree], adjoints: Mapping[str, Tree]
    ) -> dict[str, Any]:
        """What a call of the backward is given, by the names of its parameters."""
        found: dict[str, Any] = {}
        for parameter in self._backward.derivative.parameters:
            name, type = parameter.name, parameter.type
            role = self._roles[name]
            if role.kind in (COTANGENT, INOUT):
                found[name] = _as(type, numbers(flat(adjoints[role.of])), name)
            elif role.kind == GRADIENT:
                found[name] = _as(type, np.full(flat(adjoints[role.of]).size, self._begins), name)
            elif role.kind in (VALUE, BEFORE):
                found[name] = _value(type, (before if role.kind == BEFORE else after)[role.of], name)
            else:
                found[name] = copy_of(self._own.get(name))
        return found

    def _gradients(self, given: dict[str, Any]) -> dict[str, Array]:
        """What one call of the backward gives, by the forward's names, as numbers in a row."""
        kept = _Kept(Guards(before=(current_order() or (0, 0))[0] == _REVERSE))
        derivative = self._backward.derivative
        values = {
            p.name: kept.guarded(given[p.name], p.name, self._roles[p.name])
            if is_buffer(p.type) and isinstance(given[p.name], np.ndarray)
            else given[p.name]
            for p in derivative.parameters
        }
        primal, at = self._backward.primal, self._launch
        try:
            with guarding(kept.guards):
                if derivative.kind is FunctionKind.KERNEL:
                    primal.execute_kernel(at.grid, at.block, *values.values(), shared_mem=at.shared_mem)
                else:
                    values[RETURN] = primal.execute(*values.values())
        except BackendError as error:
            raise BackendError(f"'{derivative.function_name}' fails: {error}") from None
        kept.check(derivative.function_name)
        made = ((role.of, values[name]) for name, role in self._roles.items() if role.kind in (GRADIENT, INOUT))
        return {of: numbers(flat(value)) for of, value in made}


@dataclass(slots=True)
class _Kept:
    """Guarded arrays that begin at a multiple of what vectors ask for, and what lies between their ends and the guard,
    which the backward must not write to: NaN, and another number behind gradients, so that it is no copy of that."""

    guards: Guards
    behind: dict[str, tuple[Array, int]] = field(default_factory=dict)

    def guarded(self, array: Array, name: str, role: Role) -> Array:
        fill = 0xA5 if role.kind == GRADIENT else 0xFF
        whole = np.full(-(-array.nbytes // _ALIGNED) * _ALIGNED, fill, np.uint8)
        whole[: array.nbytes] = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        memory = self.guards.copy(whole, name)
        self.guards.made[-1].count, self.guards.made[-1].size = array.size, array.itemsize
        self.behind[name] = memory[array.nbytes :], fill
        return memory[: array.nbytes].view(array.dtype).reshape(array.shape)

    def check(self, backward: str) -> None:
        """Raises BackendError where something lies there now."""
        for name, (bytes, fill) in self.behind.items():
            if (bytes != fill).any():
                raise BackendError(f"'{backward}' writes behind the end of '{name}'")


def flat(array: Any) -> Array:
    """The numbers of an array in a row, be they in objects of like ones; a view where it is an array."""
    array = np.asarray(array)
    if array.dtype.names is not None:
        inner = {part.dtype for _, part in contents(array, "")}
        if len(inner) != 1:
            raise UsageError("a hand-written backward is checked by numbers, and by objects of like ones")
        array = array.view(inner.pop())
    row: Array = array.reshape(-1)
    return row


def _as(type: Type, row: Array, name: str) -> Any:
    """Numbers as a parameter of this type takes them."""
    core = scalar_of(strip_reference(type))
    if core == BFLOAT16:
        made: Any = bfloat16_bits(row.astype(np.float32))
    else:
        dtype = element_dtype(type)
        leaves = {part.dtype for _, part in contents(np.zeros(1, dtype), "")}
        if len(leaves) != 1:
            raise UsageError(f"'{name}' of the backward is an array of objects that are not of like numbers")
        made = row.astype(leaves.pop())
        if dtype.names is not None:
            made = made.view(dtype)
    if is_buffer(type):
        return made
    return float(row[0]) if isinstance(core, Scalar) else made[0]


def _value(type: Type, value: Any, name: str) -> Any:
    """A value of the forward's as the backward's parameter takes it."""
    plain = isinstance(value, np.ndarray | np.generic | float | int) and np.asarray(value).dtype.kind in "fV"
    if not plain:
        return copy_of(value)
    array = np.asarray(value)
    same = array.dtype == (element_dtype(type) if is_buffer(type) else array.dtype)
    return (
        copy_of(value)
        if same and is_buffer(type) == isinstance(value, np.ndarray)
        else _as(type, numbers(flat(array)), name)
    )
