"""Calls that make no sense, on a real device: each raises what it must, and leaves the context usable.

usage: python -m benchmarks.gpu_misuse     (on a machine with a GPU, nvcc and PyCUDA)

Prints what is wrong; exit 0 only if nothing is.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from types import SimpleNamespace

import numpy as np

from cladpy.diagnostics import ArgumentTypeError, LaunchError
from cladpy.runtime.devices import driver, primary_context
from tests.runtime.misuse import MISUSES, Bench, Misuse, N, outcome


def _as_device(pointer: int, count: int = N, kind: str = "<f8") -> SimpleNamespace:
    """What claims to be an array of the device's at an address."""
    return SimpleNamespace(
        __cuda_array_interface__={"shape": (count,), "typestr": kind, "data": (pointer, False), "version": 3}
    )


def _freed(b: Bench) -> None:
    memory = driver().mem_alloc(8 * N)
    array = _as_device(int(memory))
    memory.free()
    b.launch(x=array)


def _with_memory(use: Callable[[Bench, int], None]) -> Callable[[Bench], None]:
    """A misuse of memory that is there, and is freed afterwards."""

    def act(b: Bench) -> None:
        memory = driver().mem_alloc(8 * N)
        try:
            use(b, int(memory))
        finally:
            memory.free()

    return act


def device_misuses() -> Iterator[Misuse]:
    """Those that need a device."""
    either = (LaunchError, ArgumentTypeError)
    for name, act in (
        ("memory that was freed", _freed),
        ("memory of the host's", lambda b: b.launch(x=_as_device(b.x.ctypes.data))),
        ("memory that is none", lambda b: b.launch(x=_as_device(0xDEAD0000))),
        ("an odd address", _with_memory(lambda b, at: b.launch(x=_as_device(at + 4, N - 1)))),
        ("another type", _with_memory(lambda b, at: b.launch(x=_as_device(at, N, "<f4")))),
        ("both adjoints at one place", _with_memory(lambda b, at: b.launch(dx=_as_device(at), dy=_as_device(at)))),
        ("too short an adjoint", _with_memory(lambda b, at: b.launch(dx=_as_device(at, N - 1)))),
    ):
        yield Misuse(name, either, "", act)  # type: ignore[arg-type]  # except takes several


def main() -> int:
    wrong = 0
    bench = Bench("cuda")
    with primary_context(0):
        every = [*MISUSES, *device_misuses()]
        for misuse in every:
            found = outcome(misuse, bench)
            if found:
                wrong += 1
                print(f"{misuse.name}: {found}", flush=True)
    print(f"{len(every)} misuses, {wrong} answered wrong; arrays of {np.dtype(float).name}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
