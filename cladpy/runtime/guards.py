"""Arrays that stand between pages of memory which must not be touched: a program that goes beyond one is stopped, and
told the array's name, where it would have read or spoilt what lies beside it."""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

_PAGE = mmap.PAGESIZE
# Beside an array no memory is used for so many times its own bytes, up to the most: it costs addresses, and catches
# indices that are wrong by a factor.
_TIMES = 8
_MOST = 16 << 20
_FAR = 16 << 30
_NOTHING = 0  # PROT_NONE
_NULL = 1 << 22  # so far behind a null pointer lies nothing: programs begin there at the earliest
_libc = ctypes.CDLL(None, use_errno=True)
_libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]


class _Guard(ctypes.Structure):
    """`cladpy_guard` of guards.h."""

    _fields_: ClassVar[Any] = [
        ("begin", ctypes.c_void_p),
        ("end", ctypes.c_void_p),
        ("first", ctypes.c_void_p),
        ("count", ctypes.c_ulonglong),
        ("size", ctypes.c_ulonglong),
        ("name", ctypes.c_char_p),
    ]


def _far_apart(inside: int) -> tuple[mmap.mmap, int]:
    """Room for an array with as much on both sides as an index of 32 bits reaches: addresses, which take no memory."""
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | getattr(mmap, "MAP_NORESERVE", 0)
    beside = _FAR
    while True:
        try:
            return mmap.mmap(-1, inside + 2 * beside, flags=flags), beside
        except OSError:
            if beside <= _MOST:
                raise
            beside //= 4


class Guards:
    """The guarded arrays of one run."""

    def __init__(self, *, before: bool = False, wide: bool = False) -> None:
        """Arrays end where their memory does, or begin there where `before` is asked for. Between `wide` ones lies as
        much as an index of 32 bits reaches, where the system lets it."""
        self._before = before
        self._wide = wide
        self.made: list[_Guard] = []

    def copy(self, array: NDArray[Any], name: str) -> NDArray[Any]:
        """The same bytes in guarded memory, in C order."""
        given = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        inside = -(-given.size // _PAGE) * _PAGE
        beside = max(_PAGE, min(inside * _TIMES, _MOST))
        memory, beside = _far_apart(inside) if self._wide else (mmap.mmap(-1, inside + 2 * beside), beside)
        whole = np.frombuffer(memory, np.uint8)
        start = beside if self._before else beside + inside - given.size
        whole[start : start + given.size] = given
        address = whole.ctypes.data
        for nothing in (address, address + beside + inside):
            _libc.mprotect(nothing, beside, _NOTHING)
        first = address + start
        self.made.append(
            _Guard(address, address + whole.size, first, array.size, max(1, array.itemsize), name.encode())
        )
        return whole[start : start + given.size].view(array.dtype).reshape(array.shape)

    def __len__(self) -> int:
        return len(self.made)


_current: ContextVar[Guards | None] = ContextVar("cladpy_guards", default=None)


def are_guarding() -> bool:
    """Whether runs are watched now."""
    return bool(_current.get())


@contextmanager
def guarding(guards: Guards) -> Iterator[None]:
    """Within the `with`, runs on the host end with BackendError where they touch what lies around these arrays."""
    token = _current.set(guards)
    try:
        yield
    finally:
        _current.reset(token)


@contextmanager
def watched(library: ctypes.CDLL, nulls: Sequence[str] = ()) -> Iterator[None]:
    """Lets a library of the host backend know of the guards, and of arguments that are null, for one call."""
    guards = _current.get()
    made = [] if guards is None else list(guards.made)
    if nulls:
        made.append(_Guard(0, _NULL, 0, 0, 1, "' or '".join(nulls).encode()))
    if not made:
        yield
        return
    table = (_Guard * len(made))(*made)
    library.cladpy_host_guard.argtypes = [ctypes.c_void_p, ctypes.c_ulonglong]
    library.cladpy_host_guard(ctypes.addressof(table), len(made))
    try:
        yield
    finally:
        library.cladpy_host_guard(None, 0)
