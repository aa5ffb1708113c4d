"""What a traced gradient has found: read from the library after each call, and told as an error or a warning."""

from __future__ import annotations

import ctypes
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

from cladpy.callers import level_of_caller
from cladpy.derivative import Derivative
from cladpy.diagnostics import BackendError, Nonfinite, NonfiniteError, Span, ZeroTimesNonfinite, line_of
from cladpy.runtime.library import GRADIENT, Library

_SUM = 1  # cladpy::nonfinite_sum


class _Report(ctypes.Structure):
    """`cladpy::nonfinite_report` of <cladpy/nonfinite.h>."""

    _fields_: ClassVar[Any] = [
        ("found", ctypes.c_uint),
        ("kind", ctypes.c_int),
        ("line", ctypes.c_int),
        ("in_kernel", ctypes.c_int),
        ("operand_count", ctypes.c_int),
        ("block", ctypes.c_uint * 3),
        ("thread", ctypes.c_uint * 3),
        ("cotangent", ctypes.c_double),
        ("adjoint", ctypes.c_double),
        ("operands", ctypes.c_double * 24),
        ("file", ctypes.c_char * 512),
        ("function", ctypes.c_char * 256),
        ("kernel", ctypes.c_char * 256),
        ("adjoint_of", ctypes.c_char * 128),
        ("names", ctypes.c_char * 1536),
    ]


class _Reports(ctypes.Structure):
    _fields_: ClassVar[Any] = [("stopped", _Report), ("zero", _Report)]


@contextmanager
def telling(library: Library, derivative: Derivative, entry: str) -> Iterator[None]:
    """Around a call of the library's. Raises NonfiniteError where a traced gradient has met an adjoint that is not
    finite."""
    if not derivative.options.trace_nonfinite or entry != GRADIENT:
        yield
        return
    try:
        yield
    except BackendError:
        reports = _taken(library)
        if reports.stopped.found:
            raise NonfiniteError(_facts(reports.stopped, derivative)) from None
        raise
    reports = _taken(library)
    if reports.stopped.found:
        raise NonfiniteError(_facts(reports.stopped, derivative))
    if reports.zero.found:
        warnings.warn(ZeroTimesNonfinite(_facts(reports.zero, derivative)), stacklevel=level_of_caller())


def _taken(library: Library) -> _Reports:
    reports = _Reports()
    library.handle.cladpy_take_nonfinite.argtypes = [ctypes.POINTER(_Reports)]
    library.handle.cladpy_take_nonfinite.restype = None
    library.handle.cladpy_take_nonfinite(ctypes.byref(reports))
    return reports


def _facts(report: _Report, derivative: Derivative) -> Nonfinite:
    def text(raw: bytes) -> str:
        return raw.decode(errors="replace")

    file, line = text(report.file), report.line
    span = Span(file, line, 1, line, 1)
    source = line_of(span, {derivative.source.name: derivative.source.text}) if line else None
    names = text(report.names).split(";")[: report.operand_count]
    values = report.operands[: report.operand_count]
    return Nonfinite(
        kernel=text(report.kernel),
        function=text(report.function),
        file=file,
        line=line,
        source=text(source or b"").strip(),
        adjoint_of=text(report.adjoint_of),
        adjoint=report.adjoint,
        cotangent=report.cotangent,
        operands={n.removeprefix("#"): _number(n, v) for n, v in zip(names, values, strict=True)},
        thread=_extents(report.thread) if report.in_kernel else None,
        block=_extents(report.block) if report.in_kernel else None,
        is_sum=report.kind == _SUM,
    )


def _number(name: str, value: float) -> float | int:
    return int(value) if name.startswith("#") else value


def _extents(three: Any) -> tuple[int, int, int]:
    return three[0], three[1], three[2]
