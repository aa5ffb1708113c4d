"""Calls of a host function that is given arrays and numbers by callers who have looked at them themselves: addresses
and values go where the library finds them, and nothing else is done."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

from cladpy.derivative import Derivative
from cladpy.ir.types import Scalar, Type
from cladpy.runtime.library import GRADIENT, ONE_THREAD, LaunchRecord, Library
from cladpy.runtime.scalars import ctype_of


class Direct:
    """An entry of a derivative's library, on one device. Calls are made one at a time."""

    def __init__(
        self,
        derivative: Derivative,
        entry: str,
        library: Callable[[], Library],
        active: Callable[[], AbstractContextManager[None]],
    ) -> None:
        """`library` gives what is called now, and within `active` a call may use the device."""
        types: list[Type] = [p.type for p in derivative.parameters]
        types += [a.type for a in derivative.adjoints] if entry == GRADIENT else []
        self._cells: list[Any] = [ctype_of(t)() if isinstance(t, Scalar) else ctypes.c_void_p() for t in types]
        self._pointers = (ctypes.c_void_p * len(types))(*map(ctypes.addressof, self._cells))
        self._record = LaunchRecord(ONE_THREAD.grid, ONE_THREAD.block, 0, None)
        self._entry = entry
        self._is_program = derivative.is_program
        self._library = library
        self._active = active
        self._bound: Library | None = None

    def __call__(self, values: Sequence[int | float], sizes: Sequence[int]) -> None:
        """Calls with these numbers and addresses; `sizes` are the bytes of arrays, 0 of what is none. Raises
        BackendError and ToolchainError as `Gradient.execute` does."""
        for cell, value in zip(self._cells, values, strict=True):
            cell.value = value
        with self._active():
            library = self._library()
            if library is not self._bound:
                self._function = library.function(self._entry)
                self._bound = library
            with library.lock:
                if self._is_program:
                    library.declare(0, 0)
                    for first, last in apart(values, sizes):
                        library.declare(first, last - first)
                library.check(self._function(ctypes.addressof(self._record), ctypes.addressof(self._pointers)))


def apart(values: Sequence[int | float], sizes: Sequence[int]) -> list[tuple[int, int]]:
    """Where arrays begin and end; those that overlap are one."""
    found: list[tuple[int, int]] = []
    for first, size in sorted((int(v), n) for v, n in zip(values, sizes, strict=True) if n):
        if found and first < found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], first + size)
        else:
            found.append((first, first + size))
    return found
