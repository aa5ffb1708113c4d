"""How the programs of this folder are written down and judged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.kernels.making import Make, real, zeros
from tests.oracle import Judged, assert_gradient, judged

N = 40
# element i of x and y, for each thread below n
HEAD = "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;"


@dataclass(frozen=True)
class Program:
    """A kernel `k`, or with `grid` None a host function `f`."""

    behaviour: str
    args: str
    text: str
    values: tuple[Make | int | float, ...] = (real(N), zeros(N), N)
    grid: int | tuple[int, ...] | None = 2
    block: int | tuple[int, ...] | None = 32
    shared_mem: int = 0

    @property
    def function(self) -> str:
        return "f" if self.grid is None else "k"

    def arguments(self) -> list[Any]:
        rng = np.random.default_rng(11)
        return [v(rng) if callable(v) else v for v in self.values]

    @property
    def id(self) -> str:
        return self.behaviour.replace(" ", "_")

    @property
    def file(self) -> str:
        """Those of one kind are compiled together."""
        return self.function

    def judged(self) -> Judged:
        return judged(self.text, self.function, self.args)

    def check(self, made: Judged | None = None) -> None:
        launch = self.grid, self.block, self.arguments()
        assert_gradient(self.text, self.function, self.args, *launch, shared_mem=self.shared_mem, made=made)


def kernel(behaviour: str, body: str, *functions: str) -> Program:
    """A kernel with the usual guard whose `body` computes y[i] from x; `functions` stand before it."""
    text = "\n".join([*functions, f"__global__ void k(const double *x, double *y, int n) {{ {HEAD}\n{body}\n}}"])
    return Program(behaviour, "x, y", text)


def host(behaviour: str, args: str, text: str, *values: float) -> Program:
    return Program(behaviour, args, text, values, None, None)
