"""Grid, block and shared memory of a launch, checked as a device would."""

from __future__ import annotations

import operator
from dataclasses import dataclass

from cladpy.diagnostics import ArgumentTypeError, LaunchError
from cladpy.given import shown

MAX_THREADS = 1024
MAX_BLOCK = (1024, 1024, 64)
MAX_GRID = (2**31 - 1, 65535, 65535)
MAX_SHARED = 227 * 1024

Extent = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class LaunchShape:
    grid: Extent
    block: Extent
    shared_mem: int

    def extent(self, name: str) -> int:
        """An extent by the name that it has in CUDA."""
        whole, axis = name.split(".")
        return {"gridDim": self.grid, "blockDim": self.block}[whole]["xyz".index(axis)]


def launch_shape(grid: object, block: object, shared_mem: object) -> LaunchShape:
    """Raises LaunchError, or ArgumentTypeError for what is no number, with the limit that is not kept."""
    shape = LaunchShape(_extent("grid", grid, MAX_GRID), _extent("block", block, MAX_BLOCK), _shared(shared_mem))
    threads = shape.block[0] * shape.block[1] * shape.block[2]
    if threads > MAX_THREADS:
        raise LaunchError(f"block {shape.block} has {threads} threads; at most {MAX_THREADS} are possible")
    return shape


def _integer(what: str, value: object) -> int:
    if isinstance(value, bool):
        raise ArgumentTypeError(f"{what} must be an integer, not a bool")
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise ArgumentTypeError(f"{what} must be an integer, not {shown(value)}") from None


def _extent(what: str, value: object, limits: Extent) -> Extent:
    parts = tuple(value) if isinstance(value, (tuple, list)) else (value,)
    if not 1 <= len(parts) <= 3:
        raise LaunchError(f"{what} must be an integer or a tuple of one to three, not {shown(value)}")
    numbers = [_integer(what, part) for part in parts] + [1] * (3 - len(parts))
    for number, axis, limit in zip(numbers, "xyz", limits, strict=True):
        if not 1 <= number <= limit:
            raise LaunchError(f"{what}.{axis} must be between 1 and {limit}, not {number}")
    return numbers[0], numbers[1], numbers[2]


def _shared(value: object) -> int:
    number = _integer("shared_mem", value)
    if not 0 <= number <= MAX_SHARED:
        raise LaunchError(f"shared_mem must be between 0 and {MAX_SHARED} bytes, not {number}")
    return number
