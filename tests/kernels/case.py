"""A kernel whose gradient is checked: where it is, what is differentiated, how it is launched."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tests.kernels.making import Make, real, zeros

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Case:
    file: str
    function: str
    args: str  # the arguments that are differentiated, as `cladpy.gradient` takes them
    values: tuple[Make | int | float | None, ...]  # None: a null pointer
    grid: int | tuple[int, ...] | None = 2  # None: no kernel
    block: int | tuple[int, ...] | None = 32
    label: str = ""
    shared_mem: int = 0  # bytes

    @property
    def path(self) -> Path:
        return HERE / f"{self.file}.cu"

    @property
    def id(self) -> str:
        return f"{self.file}-{self.function}{'-' + self.label if self.label else ''}"

    def arguments(self, seed: int = 7) -> list[Any]:
        rng = np.random.default_rng(seed)
        return [v(rng) if callable(v) else v for v in self.values]


N = 60  # fewer than the 64 threads of the usual launch, so that guards matter
X = real(N)
Y = zeros(N)
