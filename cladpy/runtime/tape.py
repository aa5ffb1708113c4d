"""What lies between the two halves of a gradient: what the reverse sweep needs, kept as the forward sweep has found it.

The memory that the primal overwrites, and that the gradient must find as the primal did, is copied before the primal
runs; the gradient then runs on the copy. So the arguments hold the primal's results, from the forward half on, and what
becomes of them is of no account. All else the gradient reads where it lies.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cladpy.derivative import Derivative
from cladpy.diagnostics import LaunchError, TapeError
from cladpy.runtime.arguments import Argument
from cladpy.runtime.arrays import ArrayView
from cladpy.runtime.blocks import Block, Place, aligned_bytes
from cladpy.runtime.executor import Executor
from cladpy.runtime.globals import Globals
from cladpy.runtime.shape import LaunchShape

_ALIGNMENT = 256

Cell: TypeAlias = NDArray[np.uint64]


@dataclass(slots=True)
class _Kept:
    """A copy of the bytes from `address` on, of memory of the host or of a device."""

    address: int
    size: int
    on_host: bool
    copy: int = 0
    owner: object = None

    def holds(self, array: ArrayView) -> bool:
        inside = self.address <= array.pointer and array.pointer + array.nbytes <= self.address + self.size
        return array.on_host == self.on_host and inside


@dataclass(slots=True, eq=False)
class Tape:
    """What `forward` gives and `reverse` uses up, unless it is reusable. Close it, or leave its `with`, where it is not
    used (again): that gives the memory back that it keeps. So does forgetting it."""

    made_by: object
    arguments: Sequence[Argument]  # as the gradient is given them: with copies in place of what has been overwritten
    shape: LaunchShape
    stream: object
    variables: tuple[tuple[str, NDArray[Any]], ...]  # what has been overwritten of those at namespace scope
    _executor: Executor
    _kept: list[_Kept] = field(default_factory=list)
    cell: Cell | None = None  # where the address of what a host function's forward half has left lies
    reusable: bool = False  # whether `reverse` leaves it as it is, for another call
    _open: bool = True

    @property
    def nbytes(self) -> int:
        """The memory that it keeps."""
        return sum(k.size for k in self._kept) + sum(content.nbytes for _, content in self.variables)

    @property
    def is_open(self) -> bool:
        """Whether `reverse` may use it."""
        return self._open

    def check(self, gradient: object) -> None:
        """Raises TapeError where a gradient cannot use it."""
        if self.made_by is not gradient:
            raise TapeError("reverse: the tape was made by another gradient")
        if not self._open:
            raise TapeError(
                "reverse: the tape has been used, or closed\n"
                "hint: a tape is for one call of reverse; forward(..., reusable=True) makes one for any number"
            )

    def close(self, stream: object = None) -> None:
        """Gives back what it keeps, once the stream (that of the forward half, if it is None) comes to it."""
        if self._open:
            self._open = False
            if self.cell is not None and self.cell[0]:
                self._executor.drop(self.arguments, int(self.cell[0]))
            copies = [k.copy for k in self._kept if not k.on_host]
            self._executor.release(self.arguments, copies, self.stream if stream is None else stream)
            self._kept, self.arguments, self.variables = [], (), ()

    @contextmanager
    def closed_if_it_fails(self) -> Iterator[None]:
        """Closes the tape where the forward half raises."""
        try:
            yield
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Tape:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        with suppress(Exception):  # whatever is left of the interpreter
            self.close()


def begin_tape(
    gradient: object,
    derivative: Derivative,
    executor: Executor,
    globals: Globals,
    arguments: Sequence[Argument],
    shape: LaunchShape,
    stream: object,
    *,
    reusable: bool = False,
) -> Tape:
    """A tape with copies of what the primal will overwrite, which runs next. Raises LaunchError for memory that cannot
    be kept."""
    wanted = derivative.written & derivative.found
    behind = _behind_variables(derivative, globals, wanted)
    _check_reached(wanted, arguments)
    kept = _to_keep(derivative, arguments, behind)
    of_device = [k for k in kept if not k.on_host]
    copies = executor.keep(arguments, [(k.address, k.size) for k in of_device], stream)
    for k, copy in zip(of_device, copies, strict=True):
        k.copy = copy
    for k in kept:
        if k.on_host:
            k.owner = _copy_of(k.address, k.size)
            k.copy = k.owner.ctypes.data
    other = _with_copies(kept)
    variables = []
    for g in derivative.globals:
        if not wanted.isdisjoint((f"::{g.name}", f"::{g.name}->")):
            content = globals.read(f"::{g.name}", adjoint=False)
            if g.name in behind:
                content = globals.leading_to(content, behind[g.name].replaced(other))
            variables.append((g.name, content))
    on_copies = [replace(a, block=a.block.replaced(other)) for a in arguments]
    return Tape(gradient, on_copies, shape, stream, tuple(variables), executor, kept, reusable=reusable)


def _name_of(place: Place) -> str:
    return re.sub(r"\[\d+\]", "", place.name)


def _behind_variables(derivative: Derivative, globals: Globals, wanted: frozenset[str]) -> dict[str, Block]:
    """What the pointers in variables lead to, where that is to be kept."""
    behind = {}
    for name in sorted(n for n in wanted if n.startswith("::")):
        variable = name.removeprefix("::").removesuffix("->")
        known = variable in {g.name for g in derivative.globals}
        block = globals.behind(variable) if known and name.endswith("->") else None
        if not known or (name.endswith("->") and (block is None or block.opaque)):
            raise LaunchError(
                f"{variable}: what this variable holds, or leads to, is overwritten and needed by the gradient, and "
                "forward cannot keep it\nhint: pass it as an argument"
            )
        if block is not None:
            behind[variable] = block
    return behind


def _check_reached(wanted: frozenset[str], arguments: Sequence[Argument]) -> None:
    """What is to be kept is known by arrays, not by addresses."""
    led = sorted(n for n in wanted if not n.startswith("::"))
    opaque = {_without_subscripts(n) for a in arguments for n in a.block.opaque}
    known = {_without_subscripts(p.name) for a in arguments for p in a.block.all_places()}
    known |= {_without_subscripts(n) for a in arguments for n in a.block.nulls}
    for name in led:
        if name not in known or any(name == o or name.startswith(f"{o.removesuffix('.')}.") for o in opaque):
            raise LaunchError(
                f"{name}: what it leads to is overwritten and needed by the gradient, and forward cannot keep what it "
                "knows by an address only\nhint: pass arrays, in lists and dicts, where the address stands"
            )


def _without_subscripts(name: str) -> str:
    return re.sub(r"\[\d+\]", "", name)


def _to_keep(derivative: Derivative, arguments: Sequence[Argument], behind: Mapping[str, Block]) -> list[_Kept]:
    """Memory that the primal writes and the gradient must find as it was. Arrays that overlap are one memory."""
    arrays = [
        (_without_subscripts(place.name), array) for a in arguments for place, array in a.block.arrays() if array.nbytes
    ]
    arrays += [(f"::{name}->", array) for name, b in behind.items() for _, array in b.arrays() if array.nbytes]
    arrays.sort(key=lambda found: (found[1].on_host, found[1].pointer))
    together: list[tuple[_Kept, set[str]]] = []
    for name, array in arrays:
        if together:
            last, names = together[-1]
            end = last.address + last.size
            if last.on_host == array.on_host and array.pointer < end:
                last.size = max(end, array.pointer + array.nbytes) - last.address
                names.add(name)
                continue
        together.append((_Kept(array.pointer, array.nbytes, array.on_host), {name}))
    return [k for k, names in together if names & derivative.written and names & derivative.found]


def _copy_of(address: int, size: int) -> NDArray[np.uint8]:
    """The bytes, aligned as they are."""
    offset = address % _ALIGNMENT
    copy = aligned_bytes(offset + size, _ALIGNMENT)[offset:]
    copy[:] = np.ctypeslib.as_array((ctypes.c_uint8 * size).from_address(address))
    return copy


def _with_copies(kept: Sequence[_Kept]) -> Callable[[Place, ArrayView], ArrayView]:
    def other(place: Place, array: ArrayView) -> ArrayView:
        for k in kept:
            if array.nbytes and k.holds(array):
                pointer = k.copy + array.pointer - k.address
                return replace(array, pointer=pointer, read_only=False, stream=None, owner=k)
        return array

    return other
