"""A compiled derivative, loaded: its entry functions with C types."""

from __future__ import annotations

import ctypes
import shutil
import tempfile
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from numpy.typing import NDArray

from cladpy.derivative import Derivative
from cladpy.diagnostics import BackendError, LaunchError, ToolchainError
from cladpy.runtime.shape import LaunchShape
from cladpy.toolchain import compile_cuda, compile_hip, compile_host
from cladpy.toolchain.entry import with_entry


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

GRADIENT = "cladpy_run_gradient"
ONE_THREAD = LaunchShape((1, 1, 1), (1, 1, 1), 0)


class Library:
    """The shared library of a derivative; calls are made one at a time."""

    def __init__(self, path: Path, *, has_state: bool = False) -> None:
        """Loads it; where it `has_state`, a copy, since the loader knows a file that it has loaded before. Raises
        ToolchainError where the system's loader refuses it."""
        try:
            if has_state:
                with tempfile.TemporaryDirectory(prefix="cladpy-") as folder:
                    self.handle = ctypes.CDLL(shutil.copy(path, folder))
            else:
                self.handle = ctypes.CDLL(str(path))
        except OSError as error:
            raise ToolchainError(f"the compiled derivative cannot be loaded: {error}") from None
        self.lock = threading.Lock()
        for name in ("cladpy_run_gradient", "cladpy_run_primal"):
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

    def prepared(
        self, entry: str, shape: LaunchShape, stream: int, arguments: Sequence[NDArray[Any]]
    ) -> Callable[[], None]:
        """What calls an entry with the bytes of these arguments, as `run` does."""
        record = LaunchRecord(shape.grid, shape.block, shape.shared_mem, stream or None)
        pointers = (ctypes.c_void_p * max(1, len(arguments)))(*(a.ctypes.data for a in arguments))
        # Addresses as numbers take half the time of pointers with types.
        function = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)((entry, self.handle))
        first, second = ctypes.addressof(record), ctypes.addressof(pointers)

        def call(kept: object = (record, pointers, arguments)) -> None:
            status = function(first, second)
            if status:
                self.check(status)

        return call

    def declare(self, memory: int, nbytes: int) -> None:
        """Tells a host program the size of an array; with null, forgets all."""
        self.handle.cladpy_declare_range.argtypes = [ctypes.c_void_p, ctypes.c_ulonglong]
        self.handle.cladpy_declare_range.restype = None
        self.handle.cladpy_declare_range(memory or None, nbytes)

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


def build_library(derivative: Derivative, arch: str | None = None) -> Library:
    """Compiles (or finds in the cache) and loads. Raises ToolchainError."""
    options = derivative.options
    dependencies: list[str | Path] = [*derivative.program.includes, *_custom_headers(options.custom_derivatives)]
    text = with_entry(derivative)
    if derivative.target in ("cuda", "hip"):
        compile_device = compile_cuda if derivative.target == "cuda" else compile_hip
        path = compile_device(
            text,
            source=derivative.source,
            dependencies=dependencies,
            std=options.std,
            include_directories=options.include_dirs,
            defines=options.defines,
            arch=options.arch or arch,
        )
    else:
        path = compile_host(
            text,
            source=derivative.source,
            dependencies=dependencies,
            std=options.std,
            include_directories=options.include_dirs,
            defines=options.defines,
        )
    return Library(path, has_state=bool(derivative.globals))


def _custom_headers(places: Sequence[str]) -> list[Path]:
    files: list[Path] = []
    for place in map(Path, places):
        files += sorted(p for p in place.rglob("*") if p.is_file()) if place.is_dir() else [place]
    return files
