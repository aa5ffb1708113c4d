"""What a benchmark is: a kernel of `programs/*.cu`, its sizes and arguments, gradients of it written by hand, the work
that it takes at least, and the figures to reach."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Extent: TypeAlias = "int | tuple[int, ...]"
Size: TypeAlias = Mapping[str, int]

# Of one H200: a copy's bytes per second (read and written), and operations per second of the vector units.
BYTES_PER_SECOND = 4.3e12
OPERATIONS_PER_SECOND = {"double": 34e12, "float": 67e12}


@dataclass(frozen=True, slots=True)
class Traffic:
    """The bytes that have to be moved at least: by the primal, and by a gradient that writes fresh adjoints (`=`) or
    adds to them and zeroes the cotangent (`+=`)."""

    primal: float
    fresh: float
    added: float


@dataclass(frozen=True, slots=True)
class Operations:
    """Floating-point operations of the primal and of the gradient, where they and not the traffic are the limit."""

    primal: float
    gradient: float
    precision: str = "double"


@dataclass(frozen=True, slots=True)
class Run:
    """One size of a benchmark: the arguments of a launch."""

    values: Sequence[Any]  # arrays of NumPy and numbers, in the order of the parameters
    grid: Extent = 1
    block: Extent = 256
    shared_mem: int = 0
    operations: Operations | None = None
    traffic: Traffic | None = None  # where it is not that of all arrays once
    cotangents: Mapping[str, NDArray[Any]] = field(default_factory=dict)  # others are random


@dataclass(frozen=True, slots=True)
class ByHand:
    """A gradient written by hand: `void f(const at &, arguments..., adjoints...)` of `programs/*_by_hand.cu`."""

    expression: str  # C++, with {fresh} where it says whether it writes (`=`) or adds (`+=`)
    # "same" mapping of threads as the primal, or "re-tiled"; or what it knows that the program does not say
    mapping: str = "same"


@dataclass(frozen=True, slots=True)
class Goals:
    """Ratios of gradient to primal, of `=` and of `+=`: what is possible, what must be reached, what is aimed at."""

    limit: tuple[float | None, float | None] = (None, None)
    must: tuple[float | None, float | None] = (None, None)
    aim: tuple[float | None, float | None] = (None, None)
    frameworks_ms: float | None = None  # the gradient's time in JAX or under torch.compile, the faster of the two


@dataclass(frozen=True, slots=True)
class Benchmark:
    name: str
    function: str
    outputs: str  # whose adjoints are given: names, comma-separated
    inputs: str  # whose adjoints are asked for
    setup: Callable[..., Run]  # takes what a size names
    full: Size  # fills an H200
    small: Size  # for checks, also on the host
    updated: str = ""  # both read and written
    by_hand: tuple[ByHand, ...] = ()
    goals: Goals = Goals()
    needed: str | None = None  # arrays that the gradient has to read at least, if not all
    file: str = ""  # in its folder, without `.cu`; set when it is found, as that is
    folder: Path = Path()
    # A gradient's largest error, relative to its norm; single precision needs more where sums are long.
    tolerance: float = 1e-4
    difference_tolerance: float = 2e-2  # of central differences
    step: float = 1.0  # of central differences, in units of the usual one

    # Of those that are plotted: the size with so many threads, or with so much work for each.
    by_threads: Callable[[int], Size] | None = None
    by_work: Callable[[int], Size] | None = None

    @property
    def source(self) -> Path:
        return self.folder / f"{self.file}.cu"

    @property
    def args(self) -> str:
        return ", ".join([*self.output_names, *self.updated_names, *self.input_names])

    @property
    def output_names(self) -> list[str]:
        return names(self.outputs)

    @property
    def updated_names(self) -> list[str]:
        return names(self.updated)

    @property
    def input_names(self) -> list[str]:
        return names(self.inputs)


def names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def traffic_of(benchmark: Benchmark, run: Run, parameters: Sequence[str]) -> Traffic:
    """What `run` says, else that of all arrays, each moved once."""
    if run.traffic is not None:
        return run.traffic
    primal = read = cotangents = adjoints = 0.0
    needed = None if benchmark.needed is None else names(benchmark.needed)
    for name, value in zip(parameters, run.values, strict=True):
        if not isinstance(value, np.ndarray):
            continue
        bytes_ = float(value.nbytes)
        updated, output = name in benchmark.updated_names, name in benchmark.output_names
        primal += 2 * bytes_ if updated else bytes_
        if not output and (needed is None or name in needed):
            read += bytes_
        if updated or output:
            cotangents += bytes_
        if updated or name in benchmark.input_names:
            adjoints += bytes_
    return Traffic(primal, read + cotangents + adjoints, read + 2 * cotangents + 2 * adjoints)


def floor_ratios(traffic: Traffic, operations: Operations | None) -> tuple[float, float]:
    """The ratio that a gradient can have at best, for `=` and for `+=`: by traffic and by operations."""

    def seconds(bytes_: float, count: float) -> float:
        by_operations = count / OPERATIONS_PER_SECOND[operations.precision] if operations else 0.0
        return max(bytes_ / BYTES_PER_SECOND, by_operations)

    primal = seconds(traffic.primal, operations.primal if operations else 0.0)
    counted = operations.gradient if operations else 0.0
    return seconds(traffic.fresh, counted) / primal, seconds(traffic.added, counted) / primal


# ---- arguments ----

_REPEATED = 1 << 20  # so many random numbers are made, and repeated where more are needed


def uniform(low: float, high: float, shape: int | tuple[int, ...], dtype: str = "f8", seed: int = 1) -> NDArray[Any]:
    count = int(np.prod(shape))
    made = np.random.default_rng(seed).uniform(low, high, min(count, _REPEATED)).astype(dtype)
    return np.resize(made, shape)


def normal(shape: int | tuple[int, ...], dtype: str = "f8", seed: int = 1) -> NDArray[Any]:
    count = int(np.prod(shape))
    made = np.random.default_rng(seed).normal(0.0, 1.0, min(count, _REPEATED)).astype(dtype)
    return np.resize(made, shape)


def zeros(shape: int | tuple[int, ...], dtype: str = "f8") -> NDArray[Any]:
    return np.zeros(shape, dtype)


def blocks(n: int, block: int) -> int:
    return -(-n // block)
