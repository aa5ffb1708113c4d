"""The original as a function of steps along its arguments: all numbers that it ends with, and what they weigh."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from cladpy.check.arguments import Array, Tree, copy_of, floats
from cladpy.check.elements import Elements, numbers
from cladpy.check.oracle import TangentResult
from cladpy.check.runs import Runs
from cladpy.diagnostics import CladpyError


class Functional:
    """The sum of the final contents of all named arguments, and of the result, each number times its cotangent."""

    def __init__(self, runs: Runs, elements: Elements) -> None:
        self._runs, self._elements = runs, elements
        result = () if runs.result is None else floats(runs.result, runs.cotangent)
        weights = [numbers(c) for (c,) in result]
        weights += [numbers(c) for name, tree in runs.cotangents.items() for (c,) in runs.parts(name, tree)]
        every = np.concatenate(weights) if weights else np.zeros(0)
        self._counted = np.flatnonzero(every)
        self.weights: Array = every[self._counted]
        # of each element, the number that it is itself in the end; -1 for one of no weight
        place = np.full(every.shape, -1)
        place[self._counted] = np.arange(self._counted.size)
        self.own: Array = place[self._own(len(every))]
        self.first = self._outputs((), np.zeros(0))[1]
        again = self._outputs((), np.zeros(0))[1]
        with np.errstate(invalid="ignore"):
            # what differs from run to run, as by clocks or by the order of atomics
            self.wobble: Array = np.nan_to_num(np.abs(again - self.first), nan=0.0, posinf=0.0)

    def _own(self, count: int) -> Array:
        runs, known = self._runs, set(self._elements.names)
        sizes = [(name, sum(c.size for (c,) in runs.parts(name, tree))) for name, tree in runs.cotangents.items()]
        at = count - sum(size for _, size in sizes)  # behind the result
        places = []
        for name, size in sizes:
            places += [np.arange(at, at + size)] if name in known else []
            at += size
        return np.concatenate(places) if places else np.zeros(0, int)

    def at(self, along: Sequence[int] | Array, by: Array) -> tuple[Array, Array] | None:
        """How far elements have moved by a step, and what the original ends with after it; None where it fails."""
        try:
            with np.errstate(all="ignore"):
                return self._outputs(along, by)
        except CladpyError:
            return None

    def _outputs(self, along: Sequence[int] | Array, by: Array) -> tuple[Array, Array]:
        runs = self._runs
        arrays, variables = runs.copies(), copy_of(runs.variables)
        moved = self._elements.step(_trees(runs, arrays, variables), along, by)
        value = runs.run_primal(arrays, variables)
        trees = _trees(runs, arrays, variables)
        found = [] if runs.result is None else [numbers(v) for _, v in floats(runs.result, runs.cotangent, value)]
        for name, cotangent in runs.cotangents.items():
            found += [numbers(a) for _, a in runs.parts(name, cotangent, trees[name])]
        every = np.concatenate(found) if found else np.zeros(0)
        return moved, every[self._counted]

    def magnitudes(self, result: TangentResult) -> Array:
        """Of each number, those of the oracle's contributions to its tangent; zero where it does not depend."""
        runs = self._runs
        found: list[Any] = []
        if runs.result is not None:
            found += [numbers(m) for _, m in floats(runs.result, runs.cotangent, result.result_magnitude)]
        for name, cotangent in runs.cotangents.items():
            found += [numbers(m) for _, m in runs.parts(name, cotangent, result.magnitudes[name])]
        every = np.concatenate(found) if found else np.zeros(0)
        return every[self._counted]


def _trees(runs: Runs, arrays: Sequence[Tree], variables: Mapping[str, Tree]) -> dict[str, Tree]:
    """Arguments and variables at namespace scope, by name."""
    trees = {p.name: array for p, array in zip(runs.parameters, arrays, strict=True)}
    return trees | {f"::{name}": content for name, content in variables.items()}
