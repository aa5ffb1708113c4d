"""A compiled derivative, loaded: its entry functions with C types."""

from __future__ import annotations

import ctypes
import re
import shutil
import tempfile
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from numpy.typing import NDArray

from cladpy.diagnostics import BackendError, LaunchError, ToolchainError
from cladpy.runtime.shape import LaunchShape


class LaunchRecord(ctypes.Structure):
    """`cladpy_launch` of templates/entry.common.j2."""

    _fields_: ClassVar[Any] = [
        ("grid", ctypes.c_uint * 3),
        ("block", ctypes.c_uint * 3),
        ("shared_mem", ctypes.c_ulonglong),
        ("stream", ctypes.c_void_p),
    ]


@dataclass(frozen=True, slots=True)
class ProgramReport:
    """What the gradient of a host program kept of what its steps overwrote, at most at a time, in bytes; and how many
    steps it made again, since there was no room to keep more."""

    on_device: int
    on_host: int
    total: int
    repeated: int


# The status of a run that would have to keep more than the budget that was asked for.
_OVER_BUDGET = -1

GRADIENT, PRIMAL = "cladpy_run_gradient", "cladpy_run_primal"
ONE_THREAD = LaunchShape((1, 1, 1), (1, 1, 1), 0)


class Library:
    """The shared library of a derivative; calls are made one at a time."""

    def __init__(self, path: Path, *, has_state: bool = False, has_gradient: bool = True) -> None:
        """Loads it; where it `has_state`, a copy, since the loader knows a file that it has loaded before. Raises
        ToolchainError where the system's loader refuses it."""
        self.path = path
        try:
            if has_state:
                with tempfile.TemporaryDirectory(prefix="cladpy-") as folder:
                    self.handle = ctypes.CDLL(shutil.copy(path, folder))
            else:
                self.handle = ctypes.CDLL(str(path))
        except OSError as error:
            raise ToolchainError(_why_not(str(error))) from None
        self.lock = threading.Lock()
        for name in (GRADIENT, PRIMAL):
            if name == GRADIENT and not has_gradient:
                continue
            function = getattr(self.handle, name)
            function.restype = ctypes.c_int
            function.argtypes = [ctypes.POINTER(LaunchRecord), ctypes.POINTER(ctypes.c_void_p)]
        self.handle.cladpy_error_text.restype = ctypes.c_char_p
        self.handle.cladpy_error_text.argtypes = [ctypes.c_int]

    def run(self, entry: str, shape: LaunchShape, stream: int, arguments: Sequence[Any]) -> None:
        """Calls an entry with pointers to the arguments. Raises BackendError with the text of what went wrong."""
        record = LaunchRecord(shape.grid, shape.block, shape.shared_mem, stream or None)
        pointers = (ctypes.c_void_p * max(1, len(arguments)))(*(ctypes.addressof(a) for a in arguments))
        self.check(getattr(self.handle, entry)(ctypes.byref(record), pointers))

    def function(self, entry: str) -> Callable[[int, int], int]:
        """What calls an entry, given the address of a `LaunchRecord` and that of pointers to the arguments."""
        # Addresses as numbers take half the time of pointers with types.
        return ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)((entry, self.handle))

    def wait(self, consumer: int, producer: int) -> None:
        """The consumer stream goes on only after what the producer stream holds now."""
        self._on_device("cladpy_wait", ctypes.c_void_p(consumer or None), ctypes.c_void_p(producer or None))

    def synchronize(self, stream: int) -> None:
        """Waits for a stream."""
        self._on_device("cladpy_synchronize", ctypes.c_void_p(stream or None))

    def keep(self, memory: int, size: int, stream: int) -> int:
        """A copy of memory of the device's, made on the stream."""
        copy, pointer = ctypes.c_void_p(), ctypes.c_void_p
        given = ctypes.byref(copy), pointer(memory), ctypes.c_ulonglong(size), pointer(stream or None)
        self._on_device("cladpy_keep", *given)
        return copy.value or 0

    def release(self, copy: int, stream: int) -> None:
        """Gives a copy back; after an error of the device nothing else can be said."""
        self.handle.cladpy_release(ctypes.c_void_p(copy), ctypes.c_void_p(stream or None))

    def _on_device(self, name: str, *arguments: object) -> None:
        self.check(getattr(self.handle, name)(*arguments))

    def declare(self, memory: int, nbytes: int) -> None:
        """Tells a host program the size of an array; with null, forgets all."""
        self._declare(memory or None, nbytes)

    @cached_property
    def _declare(self) -> Any:
        function = self.handle.cladpy_declare_range
        function.argtypes, function.restype = [ctypes.c_void_p, ctypes.c_ulonglong], None
        return function

    def copy_global(self, position: int, content: NDArray[Any], *, adjoint: bool, write: bool) -> None:
        """Between the variable at this position of the derivative's, or its adjoint, and `content`."""
        memory = ctypes.c_void_p(content.ctypes.data)
        self.check(self.handle.cladpy_copy_global(2 * position + adjoint, int(write), memory))

    def report(self) -> ProgramReport:
        """What the last gradient of a host program kept, if this thread has run it."""
        numbers = (ctypes.c_ulonglong * 4)()
        self.handle.cladpy_program_report(numbers)
        return ProgramReport(*numbers)

    def check(self, status: int) -> None:
        """Raises BackendError for a status that is not 0, LaunchError where a budget is too small."""
        if status != 0:
            text = (self.handle.cladpy_error_text(status) or b"unknown error").decode("utf-8", errors="replace")
            raise LaunchError(text) if status == _OVER_BUDGET else BackendError(text)


_UNDEFINED = re.compile(r"undefined symbol: (\w+)|Symbol not found: _?(\w+)|symbol '(\w+)' not found")


def _why_not(error: str) -> str:
    """What the loader says, in the program's words where a function is missing."""
    found = _UNDEFINED.search(error)
    if found is None:
        return f"the compiled derivative cannot be loaded: {error}"
    name = _demangled(next(filter(None, found.groups())))
    return (
        f"'{name}' is declared and used, but defined nowhere in the program\n"
        "hint: include the file that defines it, or load the library that does before the first call: "
        'ctypes.CDLL("libNAME.so", mode=ctypes.RTLD_GLOBAL)'
    )


def _demangled(name: str) -> str:
    """A symbol as C++ spells it."""
    try:
        demangle = ctypes.CDLL("libstdc++.so.6").__cxa_demangle
    except (OSError, AttributeError):
        return name
    demangle.restype = ctypes.c_char_p
    status = ctypes.c_int()
    found = demangle(name.encode(), None, None, ctypes.byref(status))  # it allocates a few bytes, once for an error
    return found.decode() if found is not None and status.value == 0 else name
