"""A kernel whose gradient is checked: where it is, what is differentiated, how it is launched."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
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
    one_launch: bool = False  # whether it is right for the launch that is given here only
    variables: Mapping[str, Any] = field(default_factory=dict)  # at namespace scope, as `values` are made

    @property
    def path(self) -> Path:
        return HERE / f"{self.file}.cu"

    @property
    def id(self) -> str:
        return f"{self.file}-{self.function}{'-' + self.label if self.label else ''}"

    def arguments(self, seed: int = 7) -> list[Any]:
        rng = np.random.default_rng(seed)
        return [v(rng) if callable(v) else v for v in self.values]

    def contents(self, seed: int = 7) -> dict[str, Any]:
        """Values of variables at namespace scope, by name."""
        rng = np.random.default_rng(seed)
        return {name: v(rng) if callable(v) else v for name, v in self.variables.items()}


N = 60  # fewer than the 64 threads of the usual launch, so that guards matter
X = real(N)
Y = zeros(N)
