"""Runs on the host that look after every access, for `checked=True`: arrays stand between memory that must not be
touched, the original runs first, on copies, and a fault names the line of the source.

What the gradient reads and writes it does at the original's indices, so that nearly every fault is the original's, and
its lines are the user's. Arrays are guarded to the byte at both ends, and so is what a program gets of the CUDA
runtime; indices into local and shared arrays of known length, and into containers of the C++ library, are checked by
code that the compiler puts in. Memory that is known by an address only is not looked after.
"""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from cladpy.diagnostics import BackendError
from cladpy.ir.types import Scalar, Struct
from cladpy.normalize.places import element_of
from cladpy.runtime.arguments import Argument
from cladpy.runtime.arrays import ArrayView
from cladpy.runtime.blocks import Place
from cladpy.runtime.built import build_library
from cladpy.runtime.executor import HostExecutor, Result, Run, check_on_host
from cladpy.runtime.globals import shape_of
from cladpy.runtime.guards import Guards, guarding
from cladpy.runtime.library import GRADIENT, PRIMAL, Library
from cladpy.runtime.structs import dtype_of
from cladpy.toolchain.cache import is_building
from cladpy.toolchain.entry import with_entry

_MOST_PLACES = 24
_QUOTED = re.compile(r"\s*// (\d+): ")


class CheckedExecutor(HostExecutor):
    """A `HostExecutor` whose runs end with BackendError at the first access beyond an array, with nothing changed."""

    def run(self, run: Run) -> Result:
        """See `Executor`. The original runs twice before a gradient: arrays end at what is guarded, or begin there."""
        check_on_host(run.arguments)
        own = [a for a in run.arguments if a.slot.adjoint_of is None]
        returned = self._derivative.result
        value = returned if isinstance(returned, Scalar | Struct) else None
        original = Run(PRIMAL, run.shape, run.stream, own, result=value)
        if run.entry == GRADIENT:
            with self._variables_put_back():
                self._watched(original, before=False)
        with self._variables_put_back(if_it_fails=True):
            found, copies = self._watched(run, before=False)
            with self._variables_put_back():
                self._watched(original, before=True)
        copies.bring_back()
        return found

    def repeated(self, run: Run) -> None:
        """See `Executor`: what is not looked at again is not looked after."""
        return

    def _loaded(self) -> Library:
        """Without workers: a fault is one thread's, whose place is known."""
        if False not in self._libraries:
            self._libraries[False] = build_library(self._derivative)
        return self._libraries[False]

    def _watched(self, run: Run, *, before: bool) -> tuple[Result, _Copies]:
        """Runs an entry on guarded copies of the arrays; what it gives, and the copies."""
        guards = Guards(before=before, wide=True)
        regions = _regions(run.arguments, guards)

        def other(place: Place, array: ArrayView) -> ArrayView:
            for region in regions:
                if array.nbytes and region.holds(array):
                    region.written = region.written or place.written
                    pointer = region.copy.ctypes.data + array.pointer - region.address
                    return replace(array, pointer=pointer, read_only=False, owner=region)
            return array

        self._loaded().handle.cladpy_host_begin_at_guards(int(before))
        on_copies = [replace(a, block=a.block.replaced(other)) for a in run.arguments]
        with guarding(guards):
            try:
                found = super().run(replace(run, arguments=on_copies))
            except BackendError as error:
                where = "the original" if run.entry == PRIMAL else "the gradient"
                raise BackendError(self._with_line(str(error), where)) from None
        return found, _Copies(regions, run.arguments, on_copies)

    @contextmanager
    def _variables_put_back(self, *, if_it_fails: bool = False) -> Iterator[None]:
        """Variables at namespace scope hold afterwards what they held, always or where an error leaves the `with`."""
        held: list[tuple[int, NDArray[Any]]] = []
        for position, variable in enumerate(self._derivative.globals):
            if not variable.const:
                content = np.zeros(shape_of(variable.type), dtype_of(element_of(variable.type)))
                self.copy_global(position, content, adjoint=False, write=False)
                held.append((position, content))
        failed = True
        try:
            yield
            failed = False
        finally:
            for position, content in held if failed or not if_it_fails else ():
                self.copy_global(position, content, adjoint=False, write=True)

    def _with_line(self, text: str, where: str) -> str:
        """An error with the line of the source where it happened, if it was a fault."""
        library = self._loaded()
        places = (ctypes.c_ulonglong * _MOST_PLACES)()
        count = library.handle.cladpy_host_trail(places, _MOST_PLACES)
        if not count:
            return text
        line = _line_of(library, list(places[:count]), self._shown(), with_entry(self._derivative))
        place = "" if line is None else f"{self._derivative.source.name}:{line[0]}: "
        excerpt = "" if line is None else f"\n{line[0]:5} | {line[1]}"
        hint = f"hint: {where} does this: guard the index, or pass longer arrays or a smaller grid"
        return f"{place}{text}{excerpt}\n{hint}"

    def _shown(self) -> tuple[str, list[str]]:
        """What the debugger calls the user's source, and its lines."""
        source = self._derivative.source
        return str(source.path) if source.path is not None else source.name, source.text.split("\n")


@dataclass(slots=True, eq=False)
class _Region:
    """Memory of the caller's, and a copy of it between guarded pages."""

    address: int
    memory: NDArray[np.uint8]
    copy: NDArray[np.uint8]
    written: bool = False

    def holds(self, array: ArrayView) -> bool:
        inside = self.address <= array.pointer
        return inside and array.pointer + array.nbytes <= self.address + self.memory.size


@dataclass(frozen=True, slots=True)
class _Copies:
    """What a run has worked on in place of the caller's arguments."""

    regions: list[_Region]
    given: Sequence[Argument]
    made: Sequence[Argument]

    def bring_back(self) -> None:
        for region in self.regions:
            if region.written:
                region.memory[:] = region.copy
        for given, made in zip(self.given, self.made, strict=True):
            given.block.take(made.block)


def _regions(arguments: Sequence[Argument], guards: Guards) -> list[_Region]:
    """Copies of the arrays; those that overlap are one memory."""
    arrays = [(p, array) for a in arguments for p, array in a.block.arrays() if array.nbytes]
    arrays.sort(key=lambda found: found[1].pointer)
    together: list[tuple[Place, ArrayView, int]] = []  # the first, and the end of all
    for place, array in arrays:
        end = array.pointer + array.nbytes
        if together and array.pointer < together[-1][2]:
            first, of, last = together[-1]
            together[-1] = first, of, max(last, end)
        else:
            together.append((place, array, end))
    regions = []
    for place, array, end in together:
        memory = replace(array, shape=(end - array.pointer,), dtype=np.dtype(np.uint8)).as_numpy()
        size = memory.size // array.dtype.itemsize
        whole = memory.view(array.dtype) if memory.size == size * array.dtype.itemsize else memory
        copy = guards.copy(whole, place.name).view(np.uint8).reshape(-1)
        regions.append(_Region(array.pointer, memory, copy))
    return regions


# ---- lines of the source --------------------------------------------------------------------------------------------


class _Module(ctypes.Structure):
    """Dl_info of <dlfcn.h>."""

    _fields_: ClassVar[Any] = [
        ("file", ctypes.c_char_p),
        ("base", ctypes.c_void_p),
        ("name", ctypes.c_char_p),
        ("address", ctypes.c_void_p),
    ]


def _line_of(
    library: Library, places: Sequence[int], shown: tuple[str, list[str]], unit: str
) -> tuple[int, str] | None:
    """The line of the user's source that addresses lead to, and its text. One of the emitted code is that which this
    quotes before it. None where nothing is known."""
    tool = shutil.which("addr2line")
    if tool is None:
        return None
    name, lines = shown
    for place in places:
        for file, number in _inlined(tool, library, place):
            if _is_source(file, name) and 0 < number <= len(lines):
                return number, lines[number - 1].strip()
            if Path(file).name == "unit.cpp":
                quoted = _embedded(unit, lines, number) or _quoted(unit.split("\n"), number)
                if quoted is not None and quoted <= len(lines):
                    return quoted, lines[quoted - 1].strip()
    return None


def _is_source(file: str, name: str) -> bool:
    """Whether a file of the debugger's is the user's: by its name, or as text that stood in the emitted file, which is
    taken for one of the compiler's folder."""
    path = Path(file)
    return file in (name, Path(name).name) or (path.name == Path(name).name and is_building(path.parent))


def _embedded(unit: str, lines: Sequence[str], number: int) -> int | None:
    """The line of a program that stands in the emitted code as it is."""
    before, found, _ = unit.partition("\n".join(lines))
    first = before.count("\n")
    return number - first if found and first < number <= first + len(lines) else None


def _quoted(lines: Sequence[str], number: int) -> int | None:
    """The line of the user's that emitted code quotes last before one of its own, in the same function."""
    for line in reversed(lines[: min(number, len(lines))]):
        found = _QUOTED.match(line)
        if found:
            return int(found[1])
        if line.startswith("}"):
            return None
    return None


def _inlined(tool: str, library: Library, place: int) -> list[tuple[str, int]]:
    """File and line of an address in the library, and of the calls that were inlined around it."""
    libc = ctypes.CDLL(None)
    libc.dladdr.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    module = _Module()
    loaded = libc.dladdr(place, ctypes.addressof(module)) and module.file
    if not loaded or os.fsdecode(module.file) != library.handle._name:
        return []
    command = [tool, "-i", "-e", str(library.path), hex(place - (module.base or 0))]  # what is loaded may be a copy
    try:
        done = subprocess.run(command, capture_output=True, check=False, timeout=60)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return []
    found = []
    for line in done.stdout.decode(errors="surrogateescape").splitlines():
        file, _, rest = line.rpartition(":")
        digits = re.match(r"\d+", rest)
        if digits:
            found.append((file, int(digits[0])))
    return found
