"""A gradient whose accesses to adjoints are watched, and what the watch reports for a launch."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from cladpy.check.gradient_check import sample
from cladpy.derivative import Derivative
from cladpy.options import Options
from cladpy.pipeline import differentiate
from cladpy.runtime.executor import HostExecutor
from cladpy.runtime.gradient import Gradient
from cladpy.source import Source
from tests import precompiled, together
from tests.kernels.case import Case

_EFFORT = f"-O0 -DCLADPY_CHECK_RACES{precompiled.LINKER}"
FLAGS = f"{_EFFORT} {precompiled.flags(effort=_EFFORT)}"

# These threads would leave their arrays, or store to one element, in any launch but the case's own.
ONE_LAUNCH = {
    "functions-builtins_in_callee",
    "threads-block_in_index",
    "threads-three_dimensions",
    "threads-one_thread",
    "talk-kernel",
    "talk-kernel_with_device_call",
    "talk-kernel_with_device_call_2",
    "talk-kernel_with_nested_device_call",
    "recursion-horner",
    "recursion-local_memory",
    "reinterpreted-objects_by_bytes",
    "mixed-unguarded_plane",
}
# The kernels of these files are written for blocks of one size, or for whole warps.
ONE_BLOCK = {"custom", "groups", "warps", "warps_in_blocks"}
LINES: tuple[tuple[Any, Any], ...] = ((1, 1), (1, 33), (2, 32), (3, 96))
PLANES: tuple[tuple[Any, Any], ...] = (((1, 1), (1, 1)), ((1, 1), (11, 3)), ((2, 3), (4, 8)))


def launches(case: Case) -> Iterator[tuple[Any, Any]]:
    """The case's own launch, and others that are legal for it; a host program makes its own."""
    yield case.grid, case.block
    if (
        case.grid is not None
        and not case.one_launch
        and f"{case.file}-{case.function}" not in ONE_LAUNCH
        and case.file not in ONE_BLOCK
    ):
        yield from (PLANES if isinstance(case.block, tuple) else LINES)


def watched_derivative(source: str, function: str, args: str, **options: Any) -> Derivative:
    return differentiate(Source.load(source), function, args, Options.make(**options), "host", checked=True)


@contextmanager
def watching_flags() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CLADPY_HOST_FLAGS", FLAGS)
        yield


class Watched:
    """Runs a derivative that was emitted with `checked`, or another text in its place."""

    def __init__(self, derivative: Derivative, code: str | None = None) -> None:
        self.derivative = derivative if code is None else replace(derivative, code=code)
        self.gradient = Gradient(self.derivative, "host")

    def report(
        self,
        grid: Any,
        block: Any,
        values: list[Any],
        variables: Mapping[str, Any] | None = None,
        shared_mem: int = 0,
    ) -> str:
        """What the watch says about one launch: the first race, or nothing."""
        with watching_flags():
            executor = self.gradient._executor
            assert isinstance(executor, HostExecutor)
            library = executor._loaded().handle
            library.cladpy_race_report.restype = ctypes.c_char_p
            library.cladpy_race_clear()
            sample(self.gradient, grid, block, values, variables=variables, shared_mem=shared_mem)
            return str(library.cladpy_race_report().decode())


def watched_case(case: Case) -> Watched:
    return Watched(watched_derivative(str(case.path), case.function, case.args))


def parts_of(watched: Watched) -> list[together.Part]:
    """What it compiles."""
    with watching_flags():
        part = together.part_of_gradient(watched.derivative)
    return [] if part is None else [part]
