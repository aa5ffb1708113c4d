"""What runs a compiled derivative: the interface of the backends, and the host's."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias

from cladpy.derivative import Derivative
from cladpy.diagnostics import ArgumentTypeError
from cladpy.ir.types import Scalar
from cladpy.runtime.arguments import Argument
from cladpy.runtime.library import Library, build_library
from cladpy.runtime.order import current_order
from cladpy.runtime.scalars import ctype_of
from cladpy.runtime.shape import LaunchShape

CValue: TypeAlias = "ctypes._SimpleCData[Any]"


class Executor(Protocol):
    def run(
        self,
        entry: str,
        shape: LaunchShape,
        stream: object,
        arguments: Sequence[Argument],
        extra: Sequence[CValue] = (),
        result: Scalar | None = None,
    ) -> int | float | None:
        """Runs an entry with the arguments and `extra` values after them; the value of type `result`, if any."""


class HostExecutor:
    """Runs on the CPU, in place. Streams mean nothing here: everything is done on return."""

    def __init__(self, derivative: Derivative) -> None:
        self._derivative = derivative
        self._library: Library | None = None

    def run(
        self,
        entry: str,
        shape: LaunchShape,
        stream: object,
        arguments: Sequence[Argument],
        extra: Sequence[CValue] = (),
        result: Scalar | None = None,
    ) -> int | float | None:
        """Raises BackendError for what happens in a kernel: a deadlock, a failed assert."""
        for argument in arguments:
            if argument.array is not None and not argument.array.on_host:
                raise ArgumentTypeError(
                    f"{argument.slot.name}: the array is in a device's memory, but this gradient runs on the host"
                )
        if self._library is None:
            self._library = build_library(self._derivative)
        library = self._library
        values = [pass_by_pointer(a) for a in arguments] + list(extra)
        returned = ctype_of(result)() if result is not None else None
        if returned is not None:
            values.append(ctypes.c_void_p(ctypes.addressof(returned)))
        order, seed = current_order()
        with library.lock:
            library.handle.cladpy_host_configure(ctypes.c_int(order), ctypes.c_ulonglong(seed))
            library.run(entry, shape, 0, values)
        return None if returned is None else number(returned.value)


def pass_by_pointer(argument: Argument) -> CValue:
    """The C value whose address goes into `args`."""
    if argument.scalar is not None:
        return argument.scalar
    return ctypes.c_void_p(argument.array.pointer if argument.array is not None else 0)


def number(value: Any) -> int | float:
    """Python's number of a C value."""
    return value if isinstance(value, float) else int(value)
