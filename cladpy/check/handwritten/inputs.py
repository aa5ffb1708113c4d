"""Inputs to look for errors at: small and odd sizes, ties, zeros, tails, the program's own constants, infinities."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from cladpy.check.arguments import Array, contents, copy_of, is_buffer
from cladpy.check.handwritten.adapter import Launch
from cladpy.check.settings import read_settings, sizes_in
from cladpy.check.sizes import launch_extent, names_in
from cladpy.derivative import GlobalVariable
from cladpy.diagnostics import UsageError
from cladpy.ir.symbols import Symbol
from cladpy.ir.types import BFLOAT16, scalar_of

_SMALL = (1, 2, 3, 5, 8)
# So many sizes are looked at, the smallest and the largest of all combinations.
_SIZES = 16
Fill = Callable[[np.random.Generator, Sequence[float], int], Array]


@dataclass(frozen=True, slots=True)
class Input:
    """One input: values of the forward's arguments, of the backward's own, and the launches."""

    sizes: Mapping[str, int]
    kind: str
    arguments: list[Any]
    own: Mapping[str, Any]
    variables: Mapping[str, Any]
    forward: Launch
    backward: Launch

    def changed(self, position: int, value: Any) -> Input:
        """The same with another value for an argument of the forward."""
        return replace(self, arguments=[value if k == position else a for k, a in enumerate(self.arguments)])


def _ties(rng: np.random.Generator, constants: Sequence[float], count: int) -> Array:
    return rng.choice((-1.0, 0.0, 1.0, 2.0), count)


def _edges(rng: np.random.Generator, constants: Sequence[float], count: int) -> Array:
    """At the program's constants, of both signs, and a little beside them."""
    beside = rng.choice((0.0, 0.125, -0.125), count)
    return np.asarray(rng.choice([*constants, 0.0, 1.0], count) * rng.choice((-1.0, 1.0), count) + beside)


_FEW: dict[str, Fill] = {
    "signs": lambda rng, _, count: rng.uniform(-2, 2, count),
    "ties": _ties,
    "positive": lambda rng, _, count: rng.uniform(0.1, 3, count),
    "edges": _edges,
    "lower tail": lambda rng, _, count: rng.uniform(-8, -3, count),
    "upper tail": lambda rng, _, count: rng.uniform(3, 8, count),
}
FILLS: dict[str, Fill] = {
    **_FEW,
    "zeros": lambda rng, _, count: np.zeros(count),
    "small": lambda rng, _, count: rng.uniform(-1e-3, 1e-3, count),
    "large": lambda rng, _, count: rng.uniform(-40, 40, count),
}


class Inputs:
    """All inputs of a search. What is set to something else than `random` keeps that."""

    def __init__(
        self,
        parameters: Sequence[Symbol],
        variables: Sequence[GlobalVariable],
        own: Sequence[Symbol],
        settings: Sequence[str],
        given: Mapping[str, Any],
        launches: Mapping[str, Sequence[int | str] | None],
        shared_mem: tuple[int, int],
        constants: Sequence[float],
        seed: int,
    ) -> None:
        """`own` are the backward's own parameters; `given` are values that are no texts. `launches` are grids and
        blocks by the option's name, `constants` numbers that the programs have."""
        self._parameters, self._variables, self._own = parameters, variables, own
        self._settings, self._given = list(settings), given
        self._launches, self._shared_mem = launches, shared_mem
        self._constants, self._seed = constants, seed
        texts = {name.strip(): text.strip() for name, _, text in (s.partition("=") for s in settings)}
        self._integers = sizes_in([*parameters, *own], settings)
        self.random = {name for name, text in texts.items() if text.partition(":")[0] == "random"}
        self.random |= {name for name, value in given.items() if isinstance(value, np.ndarray | np.floating)}
        sized = [text.partition(":")[2].rpartition(":")[2] for text in texts.values() if ":" in text]
        named = [n for text in sized for n in names_in(text, self._integers)]
        by_launch = [str(e) for parts in launches.values() for e in parts or ()]
        self._in_launch = {n for text in by_launch for n in names_in(text, self._integers)}
        free = {name for name, text in texts.items() if text.isdecimal()}
        written = [n for name in self._integers.keys() - free for n in names_in(texts[name], self._integers)]
        every = dict.fromkeys((*named, *sorted(self._in_launch), *sorted(written)))
        self.names = [name for name in every if name in free]

    def base(self) -> Input:
        """What was asked for."""
        return self._input({name: self._integers[name] for name in self.names}, "as given", self._seed)

    def all(self) -> Iterator[Input]:
        """Small sizes first. Raises UsageError where a value does not fit."""
        rng = np.random.default_rng(self._seed)
        sizes = self._sizes()
        for k, chosen in enumerate(sizes):
            fills = FILLS if k == len(sizes) - 1 else _FEW
            for kind, fill in fills.items() if self.random else ():
                try:
                    made = self._input(chosen, kind, self._seed)
                except UsageError:
                    break  # no size of an array may be zero
                yield self._filled(made, fill, rng)
        yield from self._infinite(sizes[min(len(sizes) - 1, 3)], rng)

    def _sizes(self) -> list[dict[str, int]]:
        each = []
        for name in self.names:
            largest = self._integers[name]
            wanted = {*_SMALL, largest - 1, largest, *([largest + 1] if name in self._in_launch else [])}
            bound = largest + (name in self._in_launch)
            each.append(sorted(n for n in wanted if 1 <= n <= bound))
        every = sorted(product(*each), key=lambda found: (float(np.prod(found)), found))
        chosen = np.unique(np.linspace(0, len(every) - 1, min(_SIZES, len(every))).astype(int))
        return [dict(zip(self.names, every[k], strict=True)) for k in chosen]

    def _infinite(self, sizes: Mapping[str, int], rng: np.random.Generator) -> Iterator[Input]:
        for name in sorted(self.random):
            for infinity in (-np.inf, np.inf):
                try:
                    made = self._input(sizes, "infinite", self._seed)
                except UsageError:
                    return
                for own, row in self._rows(made):
                    if own == name and row.size:
                        row[rng.integers(row.size)] = infinity
                        yield made

    def _input(self, sizes: Mapping[str, int], kind: str, seed: int) -> Input:
        settings = [
            f"{name}={sizes[name]}" if (name := s.partition("=")[0].strip()) in sizes else s for s in self._settings
        ]
        known = sizes_in([*self._parameters, *self._own], settings)
        taken = [p for p in (*self._parameters, *self._own) if p.name not in self._given]
        values = read_settings(taken, self._variables, settings, np.random.default_rng(seed))
        named = dict(zip([p.name for p in taken], values.arguments, strict=True)) | copy_of(self._given)
        at = {option: launch_extent(option, parts, known) for option, parts in self._launches.items()}
        return Input(
            sizes,
            kind,
            [named[p.name] for p in self._parameters],
            {p.name: named[p.name] for p in self._own},
            values.variables,
            Launch(at["--grid"], at["--block"], self._shared_mem[0]),
            Launch(at["--against-grid"], at["--against-block"], self._shared_mem[1]),
        )

    def _rows(self, made: Input) -> Iterator[tuple[str, Array]]:
        """The numbers of each array that is filled at random, as they may be set."""
        for parameter, value in zip(self._parameters, made.arguments, strict=True):
            plain = is_buffer(parameter.type) and isinstance(value, np.ndarray)
            if plain and parameter.name in self.random and scalar_of(parameter.type) != BFLOAT16:
                for _, part in contents(value, ""):
                    if part.dtype.kind == "f":
                        yield parameter.name, part.reshape(-1) if part.flags.c_contiguous else part

    def _filled(self, made: Input, fill: Fill, rng: np.random.Generator) -> Input:
        for _, row in self._rows(made):
            row[...] = fill(rng, self._constants, row.size).astype(row.dtype).reshape(row.shape)
        for k, (parameter, value) in enumerate(zip(self._parameters, made.arguments, strict=True)):
            if parameter.name in self.random and isinstance(value, np.floating):
                made = made.changed(k, value.dtype.type(fill(rng, self._constants, 1)[0]))
        return made
