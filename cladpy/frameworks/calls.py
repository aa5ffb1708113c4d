"""Calls of an extension's function, as the command line describes them: `T[4,3], int64[5]<7, 0.5, true, none`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import torch

from cladpy.diagnostics import UsageError
from cladpy.frameworks.adopted_arguments import NUMBERS

_ITEMS = re.compile(r"[^,\[]+(?:\[[^\]]*\])?[^,]*")
_TENSOR = re.compile(r"(\w+)\[([\d,\s]*)\](?:<(\d+))?")
_NAMED = {str(type).removeprefix("torch."): type for type in NUMBERS}
REAL = (torch.float32, torch.float64)  # what T stands for, each in turn
_FORM = "--call takes examples such as 'T[4,3], int64[5]<7, 0.5, 2, true, none'"


@dataclass(frozen=True, slots=True)
class Tensor:
    """An example of a tensor: `type` is None where it is float32 and float64; integers are below `below`."""

    type: Any
    shape: tuple[int, ...]
    below: int = 1

    def made(self, real: Any, shape: Sequence[int] | None = None) -> Any:
        """Numbers at random, of the type `real` where it is open."""
        type, shape = self.type or real, self.shape if shape is None else shape
        if type.is_floating_point:
            return (2 * torch.rand(*shape, dtype=torch.float64) - 1).to(type)
        return torch.randint(0, self.below, tuple(shape)).to(type)

    def spelled(self) -> str:
        """As a program of Python's makes it, in double where it is open; `real` makes numbers that want a gradient."""
        if (self.type or torch.float64) == torch.float64:
            return f"real({', '.join(map(str, self.shape))})"
        if self.type.is_floating_point:
            return f"torch.rand({list(self.shape)}, dtype={self.type})"
        return f"torch.randint(0, {self.below}, {list(self.shape)}, dtype={self.type})"

    def described(self) -> str:
        name = "float32 or float64" if self.type is None else str(self.type).removeprefix("torch.")
        return f"{name} of {len(self.shape)} dimension{'' if len(self.shape) == 1 else 's'}"


Item: TypeAlias = "Tensor | int | float | bool | None"


def read_call(text: str) -> tuple[Item, ...]:
    """The arguments of a call. Raises UsageError for what describes none."""
    return tuple(_read(item.strip()) for item in _ITEMS.findall(text))


def _read(item: str) -> Item:
    known = {"true": True, "false": False, "none": None}
    if item.lower() in known:
        return known[item.lower()]
    for number in (int, float):
        try:
            return number(item)
        except ValueError:
            pass
    found = _TENSOR.fullmatch(item)
    if found is None or (found[1] != "T" and found[1] not in _NAMED):
        raise UsageError(f"{_FORM}, and {item!r} is none; types are T (float32 and float64), {', '.join(_NAMED)}")
    shape = tuple(int(n) for n in found[2].replace(" ", "").split(",") if n)
    return Tensor(_NAMED.get(found[1]), shape, int(found[3] or 1))


def described(item: Item) -> str:
    """An argument, for people."""
    if isinstance(item, Tensor):
        return item.described()
    return {bool: str(item).lower(), int: "int", float: "float"}.get(type(item), "none")
