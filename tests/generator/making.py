"""A kernel that is being made: its parameters with their values, its lines, and what it names."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Lines = list[str]

# What counters and indices are; the parameters that they are compared with are of the same type.
INTEGERS = ("int", "int", "int", "unsigned", "long long", "size_t")
# How often loops run: never, once, and in numbers of which few are multiples of a batch.
COUNTS = (0, 1, 2, 3, 4, 5, 7, 8, 9, 13)
_DTYPES: dict[str, Any] = {
    "double": np.float64,
    "float": np.float32,
    "int": np.int32,
    "unsigned": np.uint32,
    "long long": np.int64,
    "size_t": np.uint64,
}


@dataclass
class Making:
    rng: random.Random
    fill: np.random.Generator
    real: str
    heads: Lines = field(default_factory=list)
    values: list[Any] = field(default_factory=list)
    active: Lines = field(default_factory=list)
    before: Lines = field(default_factory=list)  # functions
    lines: Lines = field(default_factory=list)
    counter: int = 0
    has_input: bool = False  # whether something that is read is among the arguments that are asked for

    def fresh(self, stem: str) -> str:
        self.counter += 1
        return f"{stem}{self.counter}"

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def one_of(self, *choices: str) -> str:
        return self.rng.choice(choices)

    def constant(self, low: float = 0.2, high: float = 1.2) -> str:
        return f"{self.real}({self.rng.uniform(low, high):.7f})"

    def integer_type(self) -> str:
        return self.rng.choice(INTEGERS)

    # ---- parameters --------------------------------------------------------------------------------------------------

    def array(self, stem: str, length: int, *, written: bool = False, real: str = "", active: float = 0.85) -> str:
        """A pointer to numbers; what is written is always among the arguments that are asked for, and so is the first
        input."""
        name, type = self.fresh(stem), real or self.real
        self.heads.append(f"{type} *{name}" if written else f"const {type} *{name}")
        self.values.append(self.fill.uniform(0.2, 1.2, max(1, length)).astype(_DTYPES[type]))
        if written or not self.has_input or self.chance(active):
            self.active.append(name)
            self.has_input = self.has_input or not written
        return name

    def number(self, stem: str, *, active: float = 0.8) -> str:
        name = self.fresh(stem)
        self.heads.append(f"{self.real} {name}")
        self.values.append(_DTYPES[self.real](self.fill.uniform(0.2, 1.2)))
        if self.chance(active):
            self.active.append(name)
        return name

    def integer(self, stem: str, value: int, type: str = "int") -> str:
        name = self.fresh(stem)
        self.heads.append(f"{type} {name}")
        self.values.append(value)
        return name

    def table(self, stem: str, values: Sequence[int]) -> str:
        name = self.fresh(stem)
        self.heads.append(f"const int *{name}")
        self.values.append(np.array(values, dtype=np.int32))
        return name

    def count(self) -> tuple[str, int]:
        """How often a loop runs, as a parameter."""
        value = self.rng.choice(COUNTS)
        return self.integer("m", value), value

    # ---- what is put together ----------------------------------------------------------------------------------------

    def text(self, name: str, body: Lines) -> str:
        head = f"__global__ void {name}({', '.join(self.heads)}) {{"
        return "\n".join([*self.before, head, *("  " + line for line in body), "}"]) + "\n"

    def args(self) -> str:
        return ", ".join(self.active)
