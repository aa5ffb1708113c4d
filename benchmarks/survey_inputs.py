"""Inputs for functions that nobody has told anything about: values of parameters by their types and names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.survey_shapes import Extent, Launch, usable
from cladpy.check.arguments import contents, element_dtype
from cladpy.ir.types import (
    BFLOAT16,
    Pointer,
    Scalar,
    Struct,
    Type,
    holds_pointers,
    scalar_of,
    strip_reference,
    vector_in,
)
from cladpy.ir.types import Array as Rows
from cladpy.runtime.passing import is_handle
from cladpy.runtime.scalars import bfloat16_bits
from cladpy.runtime.scalars import dtype_of as dtype_of_scalar
from cladpy.runtime.structs import members_of, overlap

_COUNTS = re.compile(r"iter|step|repeat|reps|times|epoch|radius|halo", re.IGNORECASE)
_PLACES = re.compile(
    r"offset|start|begin|first|idx|index|seed|rank|device|shift|pad|^k$|^t$|mode|type|flag", re.IGNORECASE
)
_RISING = re.compile(r"ptr|off|row|start|begin|cum|scan|bound", re.IGNORECASE)
_DEEP = 3  # objects that lead to others
_MOST = 16  # objects, or rows, of an array of them


class NoInputs(Exception):
    """Values of a type that nothing is known to make."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One guess at what a function may be given."""

    integer: int  # of an argument that may be a size
    elements: int  # of an array
    indices: str  # of integers in arrays: below the sizes, rising by one each, or all zero
    grid: Extent | None = None
    block: Extent | None = None
    shared_mem: int = 0
    named: bool = True  # whether the names of integers say what they are


def choices(kernel: bool, grid: Extent, launches: Sequence[Launch]) -> Iterator[Choice]:
    """Guesses, the likely ones first."""
    for blocks, block, shared in _shapes(grid, launches) if kernel else [(None, None, 0)]:
        threads = 0 if blocks is None or block is None else block[0] * blocks[0]
        sizes = dict.fromkeys(n for n in (threads, 16, block[0] if block else 0, 64, 4, 1, 2, 32, 128) if n)
        for integer in sizes:
            for elements in dict.fromkeys((4096 if integer <= 16 else 16384, 1 << 16)):
                yield Choice(integer, elements, "below", blocks, block, shared)
            if integer == 16:
                yield Choice(integer, 1 << 20, "below", blocks, block, shared)
        for indices in ("rising", "zero"):
            for integer in (16, 4):
                yield Choice(integer, 1 << 16, indices, blocks, block, shared)
        yield Choice(16, 1 << 16, "below", blocks, block, shared, named=False)


def _shapes(grid: Extent, launches: Sequence[Launch]) -> Iterator[tuple[Extent, Extent, int]]:
    """Shapes of a launch: blocks as in the program, of few of which the grid is."""
    found = [x for x in launches if x.block is not None and usable(x.block)]
    own = []
    for launch in found[:2]:
        assert launch.block is not None
        few = launch.grid is not None and 0 < int(np.prod(launch.grid)) <= 8
        own.append((launch.grid if few and launch.grid else grid, launch.block, launch.shared_mem or 16384))
    usual = ((32,), (8, 4), (4, 4, 2))[len(grid) - 1]
    yield from dict.fromkeys(
        [*own, (grid, usual, 16384), ((1,) * len(grid), (16, 16) if len(grid) > 1 else (256,), 16384)]
    )


class Values:
    """Makes the values of one choice."""

    def __init__(self, choice: Choice, seed: int = 0) -> None:
        self._choice = choice
        self._rng = np.random.default_rng(seed)

    def of(self, type: Type, name: str, deep: int = 0) -> Any:
        """A value for a parameter, a member or what a pointer leads to, as a check takes it. Raises NoInputs."""
        inner = strip_reference(type)
        if is_handle(inner):
            return None
        data = vector_in(inner)
        match inner if data is None else data:
            case Scalar() as scalar:
                return self._numbers((1,), scalar, name, alone=True)[0]
            case Pointer(pointee) if isinstance(pointee, Pointer):
                return [self.of(pointee, name, deep) for _ in range(min(self._choice.integer, _MOST))]
            case Pointer(Struct() as pointee) as array if holds_pointers(pointee):
                if deep == _DEEP:
                    return None
                if deep == 0 and not array.const:  # nothing that is written comes back in a list
                    return self._object(pointee, name, 1)
                return [self._object(pointee, name, deep + 1) for _ in range(min(self._choice.integer, _MOST))]
            case Pointer() | Rows() as array:
                return self._array(array, name)
            case Struct() as struct:
                return self._object(struct, name, deep + 1)
            case other:
                raise NoInputs(f"{name}: {other}")

    def _object(self, struct: Struct, name: str, deep: int) -> dict[str, Any]:
        values: dict[str, Any] = {}
        members = members_of(struct)
        for k, member in enumerate(members):
            if not any(overlap(member, other) for other in members[:k]):
                values[member.name] = self.of(member.type, member.name, deep)
        return values

    def _array(self, type: Pointer | Rows, name: str) -> Any:
        core = scalar_of(type)
        if not isinstance(core, Scalar | Struct):
            raise NoInputs(f"{name}: {core}")
        shape = _extents(type) or (self._choice.elements,)
        if isinstance(core, Scalar):
            return self._numbers(shape, core, name)
        made = np.zeros(shape, element_dtype(type))
        for path, part in contents(made, ""):
            if part.dtype.kind == "f":
                part[...] = self._rng.uniform(0.2, 1.2, part.shape)
            elif part.dtype.kind in "iu":
                part[...] = self._integers(part.shape, path)
        return made

    def _numbers(self, shape: Extent, scalar: Scalar, name: str, *, alone: bool = False) -> Any:
        if scalar == BFLOAT16:
            values = self._rng.uniform(0.2, 1.2, shape)
            return values if alone else bfloat16_bits(values.astype(np.float32))
        dtype = dtype_of_scalar(scalar)
        if dtype.kind == "f":
            return self._rng.uniform(0.2, 1.2, shape).astype(dtype)
        if dtype.kind == "b":
            return np.ones(shape, dtype)
        return (np.full(shape, self._integer(name)) if alone else self._integers(shape, name)).astype(dtype)

    def _integer(self, name: str) -> int:
        if self._choice.named and _COUNTS.search(name):
            return 2
        return 0 if self._choice.named and _PLACES.search(name) else self._choice.integer

    def _integers(self, shape: Extent, name: str) -> Any:
        indices = self._choice.indices
        if indices == "below" and not _RISING.search(name):
            return self._rng.integers(0, self._choice.integer, shape)
        if indices == "zero":
            return np.zeros(shape, int)
        return np.arange(int(np.prod(shape))).reshape(shape)


def _extents(type: Type) -> Extent:
    """Of an array that has some."""
    inner = strip_reference(type)
    return (inner.length, *_extents(inner.element)) if isinstance(inner, Rows) else ()
