"""The CUDA runtime of the host backend, watched: which arrays are the caller's, what is allocated, and calls that are
made to fail, so that every place where a program may fail can be tried."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, ClassVar


class _Lent(ctypes.Structure):
    """`cladpy_lent` of allocations.h."""

    _fields_: ClassVar[Any] = [
        ("first", ctypes.c_void_p),
        ("bytes", ctypes.c_ulonglong),
        ("name", ctypes.c_char_p),
    ]


@dataclass(frozen=True, slots=True)
class Lent:
    """An array of the caller's, which may serve as memory of the host or of the device."""

    address: int
    bytes: int
    name: str


@dataclass(slots=True)
class RuntimeWatch:
    """What the last run on the host did with the CUDA runtime."""

    fail_at: int = 0  # the call that fails, counted from 1; 0 for none
    calls: int = 0  # that may fail: allocations, copies, launches, synchronisation
    left: int = 0  # bytes that were allocated and not freed
    peak: int = 0  # the most bytes that were allocated at once


_current: ContextVar[RuntimeWatch | None] = ContextVar("cladpy_runtime_watch", default=None)


def is_watching_runtime() -> bool:
    """Whether runs are measured now."""
    return _current.get() is not None


@contextmanager
def watching_runtime(fail_at: int = 0) -> Iterator[RuntimeWatch]:
    """Within the `with`, runs on the host are measured, and the call `fail_at` of the CUDA runtime returns an error."""
    watch = RuntimeWatch(fail_at)
    token = _current.set(watch)
    try:
        yield watch
    finally:
        _current.reset(token)


@contextmanager
def lent_to(library: ctypes.CDLL, arrays: Sequence[Lent]) -> Iterator[None]:
    """Lets a library of the host backend know, for one call, that no memory but these arrays is the caller's."""
    lending = Lending(library, arrays)
    lending.begin()
    try:
        yield
    finally:
        lending.end()


class Lending:
    """The same for several calls, with arrays that lie elsewhere in each."""

    def __init__(self, library: ctypes.CDLL, arrays: Sequence[Lent]) -> None:
        self._table = (_Lent * max(1, len(arrays)))(*(_Lent(a.address, a.bytes, a.name.encode()) for a in arrays))
        self._given = ctypes.addressof(self._table), len(arrays)
        self._lend = library.cladpy_host_lend
        self._lend.argtypes = [ctypes.c_void_p, ctypes.c_ulonglong]

    def moved(self, addresses: Sequence[int]) -> None:
        """Where the arrays lie now."""
        for lent, address in zip(self._table, addresses, strict=False):  # which has one for none
            lent.first = address

    def begin(self) -> None:
        self._lend(*self._given)

    def end(self) -> None:
        self._lend(None, 0)


@contextmanager
def runtime_watched(library: ctypes.CDLL) -> Iterator[None]:
    """For one call of a library: what `watching_runtime` asks for."""
    watch = _current.get()
    if watch is None:
        yield
        return
    for function in (library.cladpy_host_allocated, library.cladpy_host_peak, library.cladpy_host_calls):
        function.restype = ctypes.c_ulonglong
    before = library.cladpy_host_allocated()
    library.cladpy_host_measure()
    library.cladpy_host_fail_at(ctypes.c_ulonglong(watch.fail_at))
    try:
        yield
    finally:
        watch.calls = library.cladpy_host_calls()
        watch.left = library.cladpy_host_allocated() - before
        watch.peak = library.cladpy_host_peak() - before
        library.cladpy_host_fail_at(ctypes.c_ulonglong(0))
