"""Variables at namespace scope: what they and their adjoints hold, as NumPy arrays and objects of Python."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cladpy.derivative import Derivative, GlobalVariable, variables_called
from cladpy.diagnostics import ArgumentTypeError, LaunchError
from cladpy.given import text
from cladpy.ir.halves import adjoint_value
from cladpy.ir.types import Array, Scalar, Type
from cladpy.normalize.places import element_of
from cladpy.runtime.arguments import check_followed
from cladpy.runtime.blocks import Block, Place
from cladpy.runtime.executor import Executor
from cladpy.runtime.passing import block_for
from cladpy.runtime.scalars import bfloat16_bits, is_floating_dtype
from cladpy.runtime.structs import dtype_of, float_leaves


class Globals:
    """Copies to and from where the compiled code has them. They stay there between calls."""

    def __init__(self, derivative: Derivative, executor: Executor) -> None:
        self._variables = derivative.globals
        self._function = derivative.function_name
        self._executor = executor
        self._blocks: dict[tuple[int, bool], Block] = {}  # what pointers lead to is kept alive

    def read(self, name: str, *, adjoint: bool) -> NDArray[Any]:
        """A copy; pointers are addresses. Raises LaunchError for a name that is not known."""
        position, variable = self._find(name, adjoint)
        content = np.zeros(shape_of(variable.type), dtype_of(_element(variable, adjoint)))
        self._executor.copy_global(position, content, adjoint=adjoint, write=False)
        return content

    def write(self, name: str, value: object, *, adjoint: bool) -> None:
        """Sets a variable or an adjoint. One number is for all numbers in it. Raises LaunchError for a name or a shape
        that does not fit, ArgumentTypeError for what cannot be its value."""
        position, variable = self._find(name, adjoint)
        if variable.const and not adjoint:
            raise LaunchError(f"{variable.name} is const: it cannot be set")
        element = _element(variable, adjoint)
        if isinstance(element, Scalar):
            content = _numbers(variable, value, adjoint)
        elif isinstance(value, int | float | np.number) and float_leaves(element):
            content = self.read(name, adjoint=adjoint)
            _fill(element, content, value)
        else:
            content = self._objects(position, variable, value, adjoint)
        self._executor.copy_global(position, content, adjoint=adjoint, write=True)

    def check_adjoints(self) -> None:
        """Raises LaunchError where a pointer in an adjoint is null, and the gradient adds to what it leads to."""
        for position, variable in enumerate(self._variables):
            if not variable.adjoint or not variable.followed:
                continue
            primal, adjoint = self._blocks.get((position, False)), self._blocks.get((position, True))
            if adjoint is None:
                raise LaunchError(
                    f"the adjoint of the variable {variable.name} is null, or holds pointers that are\n"
                    f'hint: say where they lead: set_adjoint("{variable.name}", ...)'
                )
            if primal is not None:
                names = f"the adjoint of {variable.name}", variable.name
                check_followed(variable.followed, variable.type, *names, adjoint, primal)

    def behind(self, name: str) -> Block | None:
        """What was last given for a variable that holds pointers; None where nothing was."""
        return self._blocks.get((self._find(f"::{name}", adjoint=False)[0], False))

    def leading_to(self, content: NDArray[Any], block: Block) -> NDArray[Any]:
        """A variable's content with the pointers of a block."""
        content = content.copy()
        whole = content.reshape(-1).view(np.uint8)
        Block(whole, block.places).fill(self._address)
        return content

    @contextmanager
    def holding(self, contents: Sequence[tuple[str, NDArray[Any]]]) -> Iterator[None]:
        """Within the `with`, variables hold other bytes."""
        before: list[tuple[int, NDArray[Any]]] = []
        try:
            for name, content in contents:
                position, _ = self._find(f"::{name}", adjoint=False)
                before.append((position, self.read(f"::{name}", adjoint=False)))
                self._executor.copy_global(position, content, adjoint=False, write=True)
            yield
        finally:
            for position, content in before:
                self._executor.copy_global(position, content, adjoint=False, write=True)

    def _objects(self, position: int, variable: GlobalVariable, value: object, adjoint: bool) -> NDArray[Any]:
        """The bytes of objects and pointers. Arrays are taken in place: they stay alive until others take theirs."""
        extents = shape_of(variable.type)
        if isinstance(value, np.ndarray) and value.dtype.names is not None and extents and value.shape != extents:
            raise LaunchError(f"{variable.name}: expected an array of shape {extents}, got {value.shape}")
        name = f"the adjoint of {variable.name}" if adjoint else variable.name
        primal = self._blocks.get((position, False))
        nulls = [name + n.removeprefix(variable.name) for n in primal.nulls] if adjoint and primal else []
        block = block_for(name, variable.type, value, adjoint=adjoint, numbers=True, nulls=nulls)
        block.fill(self._address)
        self._blocks[position, adjoint] = block
        return block.data

    def _address(self, place: Place) -> int:
        """Of what a pointer in a variable leads to."""
        target = place.target
        if isinstance(target, Block):
            if not self._executor.on_host:
                raise ArgumentTypeError(
                    f"{place.name}: a table for a variable is not made on a device\n"
                    "hint: pass a device array of addresses or of objects"
                )
            return ctypes.addressof(target.fill(self._address))
        if target.on_host != self._executor.on_host:
            here, there = ("host", "a device") if target.on_host else ("device", "the host")
            raise ArgumentTypeError(
                f"{place.name}: the array is in the memory of the {here}, but the gradient runs on {there}\n"
                "hint: what a variable points to is taken in place; pass an array that lies there"
            )
        if target.pointer % place.alignment:
            raise LaunchError(f"{place.name}: the array's address must be a multiple of {place.alignment}")
        return target.pointer

    def _find(self, name: str, adjoint: bool) -> tuple[int, GlobalVariable]:
        name = text("name", name, "the name of a variable")
        known = [v for v in self._variables if v.adjoint or not adjoint]
        found = variables_called(name, known)
        if len(found) != 1:
            listed = ", ".join(v.name for v in known) or "none"
            what = "that the gradient is taken by" if adjoint else "that can be read and set"
            raise LaunchError(f"'{name}' is not one of the variables of {self._function} {what}: {listed}")
        return self._variables.index(found[0]), found[0]


def shape_of(type: Type) -> tuple[int, ...]:
    """The extents of an array; none for a number, an object or a pointer."""
    return (type.length, *shape_of(type.element)) if isinstance(type, Array) else ()


def _numbers(variable: GlobalVariable, value: object, adjoint: bool) -> NDArray[Any]:
    shape, dtype = shape_of(variable.type), dtype_of(_element(variable, adjoint))
    given = np.asarray(value)
    if given.dtype.kind not in "iufb" or not (
        np.can_cast(given.dtype, dtype, "same_kind") or (is_floating_dtype(dtype) and given.dtype.kind == "f")
    ):
        raise ArgumentTypeError(f"{variable.name}: expected numbers of {dtype.name}, got {given.dtype}")
    if given.shape not in ((), shape) and (given.ndim != 1 or given.size != np.prod(shape, dtype=int)):
        raise LaunchError(f"{variable.name}: expected an array of shape {shape}, or a number, got {given.shape}")
    content = np.empty(shape, dtype)
    given = given if given.ndim == 0 else given.reshape(shape)
    as_bits = is_floating_dtype(dtype) and dtype.kind != "f" and given.dtype.kind == "f"
    content[...] = bfloat16_bits(given) if as_bits else given
    return content


def _element(variable: GlobalVariable, adjoint: bool) -> Type:
    element = element_of(variable.type)
    return adjoint_value(element) if adjoint else element


def _fill(element: Type, content: NDArray[Any], value: int | float | np.number[Any]) -> None:
    """Sets every floating-point number of objects."""
    flat = content.reshape(-1).view(np.uint8).reshape(content.size, -1)
    for leaf in float_leaves(element):
        assert isinstance(leaf.type, Scalar)
        number = np.asarray(value, dtype_of(leaf.type)).reshape(1).view(np.uint8)
        flat[:, leaf.offset : leaf.offset + number.size] = number
