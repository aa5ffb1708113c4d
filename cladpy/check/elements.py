"""The numbers that a gradient is with respect to, each by itself: what they are called, what they hold, steps along
them, and which of them are looked at where there are too many."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cladpy.check.arguments import Array, Tree, labels
from cladpy.check.runs import Runs
from cladpy.runtime.scalars import bfloat16_bits, bfloat16_values


@dataclass(frozen=True, slots=True)
class Part:
    """Numbers of one type in an argument, or in a member of the objects there."""

    name: str  # of the argument, or `::` and that of a variable
    label: str  # with a place for the index
    shape: tuple[int, ...]
    start: int  # of its elements, among those of all parts
    first: int  # of the array's elements: those before it are another argument's as well


class Elements:
    """All numbers along which a step can be taken, counted through. What is consumed has no adjoint afterwards, and a
    const variable keeps what it holds."""

    def __init__(self, runs: Runs) -> None:
        self._runs = runs
        self.parts: list[Part] = []
        values: list[Array] = []
        units: list[Array] = []
        constant = {f"::{name}" for name in runs.constants}
        self.names = [name for name in runs.types if name not in runs.consumed and name not in constant]
        self.size = 0
        for name in self.names:
            shadow, primal = runs.cotangents[name], runs.primal_of(name)
            names = labels(runs.types[name], shadow, name.removeprefix("::"))
            for label, (_, held) in zip(names, runs.parts(name, shadow, primal), strict=True):
                first = runs.sharing.shared(label.partition("{}")[0].removeprefix("::"))
                self.parts.append(Part(name, label, held.shape, self.size, first))
                values.append(numbers(held))
                units.append(_units(values[-1]))
                self.size += held.size
        self.values: Array = np.concatenate(values) if values else np.zeros(0)
        self.units: Array = np.concatenate(units) if units else np.zeros(0)

    def part_of(self, element: int) -> Part:
        return next(p for p in reversed(self.parts) if p.start <= element)

    def label(self, element: int) -> str:
        """As C++ would call it."""
        part = self.part_of(element)
        index = list(np.unravel_index(element - part.start, part.shape)) if part.shape else []
        if part.first:
            index[0] += part.first
        return part.label.format("".join(f"[{int(i)}]" for i in index))

    def _of(self, name: str) -> range:
        own = [p for p in self.parts if p.name == name]
        return range(own[0].start, own[-1].start + int(np.prod(own[-1].shape))) if own else range(0)

    def vector(self, trees: Mapping[str, Tree]) -> Array:
        """The numbers of trees in the form of adjoints."""
        found = [numbers(part) for name in self.names for (part,) in self._runs.parts(name, trees[name])]
        return np.concatenate(found) if found else np.zeros(0)

    def trees(self, vector: Array) -> dict[str, Tree]:
        """The opposite: a direction, as the oracle takes it."""
        made = self._runs.zeros(self.names)
        at = 0
        for name in self.names:
            for (part,) in self._runs.parts(name, made[name]):
                part[...] = vector[at : at + part.size].reshape(part.shape)
                at += part.size
        return made

    def step(self, trees: Mapping[str, Tree], along: Sequence[int] | Array, by: Array) -> Array:
        """Adds to elements of arguments, in place; how far these have moved, which their precision decides."""
        chosen = np.asarray(along)
        moved = np.zeros(len(chosen))
        held = [a for name in self.names for _, a in self._runs.parts(name, self._runs.cotangents[name], trees[name])]
        for part, array in zip(self.parts, held, strict=True):
            inside = np.flatnonzero((chosen >= part.start) & (chosen < part.start + array.size))
            if not inside.size:
                continue
            places = np.unravel_index(chosen[inside] - part.start, array.shape) if array.shape else ()
            before = numbers(array[places])
            if array.dtype.kind == "f":
                array[places] = (before + by[inside]).astype(array.dtype).reshape(np.shape(array[places]))
            else:
                bits = bfloat16_bits((before + by[inside]).astype(np.float32))
                array[places] = bits.reshape(np.shape(array[places]))
            moved[inside] = numbers(array[places]) - before
        return moved

    # ---- which of them --------------------------------------------------------------------------------------------

    def sample(self, limit: int) -> Iterator[tuple[str, list[int], int]]:
        """Of each argument, at most `limit` of its elements, and how many it has. Those come first where a function may
        have a kink: equal to another one, or to what stands at the same place of another argument, zeros, what lies
        beside infinities. The same ones each time, from all over the argument."""
        for name in self.names:
            own = self._of(name)
            if not own and self._runs.sharing:
                continue  # all of them are another argument's
            if len(own) <= limit:
                yield name, list(own), len(own)
                continue
            kinds = [*self._special(name, own), np.arange(len(own))]
            share = -(-limit // sum(1 for kind in kinds if kind.size))
            found: dict[int, None] = {}
            for kind in kinds:
                found |= dict.fromkeys(int(i) for i in _spread(kind, share))
            chosen = list(found)[:limit]
            left = np.setdiff1d(np.arange(len(own)), chosen)
            chosen += [int(i) for i in _spread(left, limit - len(chosen))]
            yield name, [own.start + i for i in sorted(chosen)], len(own)

    def _special(self, name: str, own: range) -> list[Array]:
        values = self.values[own.start : own.stop]
        finite = np.isfinite(values)
        _, where, counts = np.unique(values, return_inverse=True, return_counts=True)
        twice = counts[where] > 1
        extreme = np.zeros(len(own), bool)
        if finite.any():
            extreme = finite & ((values == values[finite].max()) | (values == values[finite].min()))
        beside = np.zeros(len(own), bool)
        beside[:-1] |= ~finite[1:]
        beside[1:] |= ~finite[:-1]
        met = np.zeros(len(own), bool)
        for other in self.names:
            theirs = self.values[self._of(other).start : self._of(other).stop]
            if other != name and len(theirs) in (1, len(own)):
                met |= values == theirs
        kinds = (extreme & twice, twice & finite, met & finite, values == 0, beside & finite, extreme)
        return [np.flatnonzero(kind) for kind in kinds]


def numbers(array: Array) -> Array:
    """Floating-point numbers of any precision as doubles, one after the other."""
    wide = array if array.dtype.kind == "f" else bfloat16_values(array)
    return np.asarray(wide, np.float64).reshape(-1)


def _units(values: Array) -> Array:
    """What a step is measured by: powers of two, as large as the element or as those beside it are."""
    sizes = np.abs(values[np.isfinite(values) & (values != 0)])
    usual = float(np.median(sizes)) if sizes.size else 1.0
    return power_of_two(np.maximum(np.where(np.isfinite(values), np.abs(values), usual), usual))


def power_of_two(size: Array) -> Array:
    """The largest one that is not larger."""
    return np.asarray(np.ldexp(1.0, np.frexp(size)[1] - 1))


def _spread(kind: Array, count: int) -> Array:
    """At most `count` of them, from the first to the last."""
    if kind.size <= count:
        return kind
    return kind[np.unique(np.linspace(0, kind.size - 1, max(count, 0)).astype(int))] if count > 0 else kind[:0]
