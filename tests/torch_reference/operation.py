"""Operations of PyTorch's, the points at which they are differentiated, and the kernels that compute them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from tests.torch_reference.inputs import Draw, Shape, values

HERE = Path(__file__).parent

# Integer arguments of a point, drawn by the names of sizes.
Integers = Callable[[Draw, Any], list[int]]


@dataclass(frozen=True)
class Kernel:
    function: str
    grid: int | str | tuple[int, ...] = 4  # or the name of a size
    block: int | tuple[int, ...] = 32
    type: str = "f4"  # dtype of its floating-point arguments
    shared_mem: int = 0  # bytes
    sizes: tuple[int, ...] | None = None  # which of the operation's sizes it is for; None: all
    without: tuple[str, ...] = ()  # kinds that it does not compute, by what it is
    loose: float = 1.0  # by how much its bound is wider, where it computes more roughly than it might
    cancels: float = 0.0  # the size of what cancels inside of a single derivative, which elements' sizes do not show


@dataclass(frozen=True)
class Operation:
    """`function` is called with the module `torch` and an object that has each input, integer array and size by name;
    it returns what `outputs` names. The kernels' parameters have these names too."""

    name: str
    function: Callable[[Any, Any], Any]
    kernels: tuple[Kernel, ...]
    inputs: Mapping[str, str] = field(default_factory=lambda: {"x": "rows n"})  # shapes, by names of sizes
    sizes: tuple[Mapping[str, int], ...] = ({"rows": 3, "n": 32},)
    kinds: tuple[str, ...] = ("ordinary", "zeros", "ties")  # or `input=kind,input=kind`
    outputs: tuple[str, ...] = ("y",)
    integers: Mapping[str, Integers] = field(default_factory=dict)
    constants: Mapping[str, float] = field(default_factory=dict)  # numbers passed by value
    given: tuple[str, ...] = ()  # inputs that are not differentiated
    step: float = 2.0**-24  # how far the points are that count as near
    domain: tuple[float, float] = (-np.inf, np.inf)  # out of which the function is not asked


@dataclass(frozen=True)
class Point:
    """Where an operation is differentiated."""

    operation: Operation
    kind: str
    size: int

    @property
    def id(self) -> str:
        shape = "x".join(str(v) for v in self.sizes.values())
        return f"{self.kind}-{shape}"

    @property
    def sizes(self) -> Mapping[str, int]:
        return self.operation.sizes[self.size]

    def shape(self, name: str) -> Shape:
        words = self.operation.inputs[name].split()
        return tuple(int(word) if word.isdigit() else self.sizes[word] for word in words)

    def arrays(self) -> dict[str, np.ndarray]:
        """The inputs, in double precision."""
        named = dict(part.split("=") for part in self.kind.split(",")) if "=" in self.kind else {}
        made = {}
        for name in self.operation.inputs:
            kind = named[name] if named else self.kind
            numbers = values(kind, f"{self.operation.name} {name}", self.shape(name))
            made[name] = np.array(numbers).reshape(self.shape(name))
        return made

    def integers(self) -> dict[str, np.ndarray]:
        sizes = Sizes(self.sizes)
        made = {}
        for name, draw in self.operation.integers.items():
            made[name] = np.array(draw(Draw(f"{self.operation.name} {name} {self.id}"), sizes), np.int32)
        return made


class Sizes:
    """Sizes as attributes."""

    def __init__(self, sizes: Mapping[str, int]) -> None:
        self.__dict__.update(sizes)


def points_of(operation: Operation) -> list[Point]:
    return [Point(operation, kind, size) for size in range(len(operation.sizes)) for kind in operation.kinds]


@dataclass(frozen=True)
class Row:
    """A kernel of a program, and what it computes."""

    file: str
    operation: Operation
    kernel: Kernel

    @property
    def path(self) -> Path:
        return HERE / "programs" / f"{self.file}.cu"

    @property
    def id(self) -> str:
        return f"{self.file}-{self.operation.name}-{self.kernel.function}".replace(" ", "")

    @property
    def args(self) -> str:
        """What is differentiated, as `cladpy.gradient` takes it."""
        operation = self.operation
        return ", ".join([*(name for name in operation.inputs if name not in operation.given), *operation.outputs])

    @property
    def points(self) -> list[Point]:
        """Those that it is for."""
        kernel = self.kernel
        without = kernel.without + (("tiny",) if kernel.type == "f2" else ())
        return [
            point
            for point in points_of(self.operation)
            if (kernel.sizes is None or point.size in kernel.sizes)
            and not any(word in point.kind.replace("=", ",").split(",") for word in without)
        ]


def variants(kernel: Kernel, *functions: str) -> tuple[Kernel, ...]:
    """The same launch for several kernels."""
    return tuple(replace(kernel, function=function) for function in functions)
