"""What PyTorch gives: values, gradients, and the range of the gradients nearby.

At each point the output is weighted with fixed cotangents and differentiated, in double precision. The same is done at
points nearby: at random ones, no coordinate further than the operation's `step`, and for each element of the inputs at
two where it leads and trails all others by that much, so that each of equal numbers has been the largest and the
smallest. An element's *range* is from the smallest to the largest of what is found for it there.

Where that is a single number, up to a small part of the element's size, the function is smooth in this element, and the
gradient at the point is what is *wanted*. PyTorch's own is taken, unless it lies outside of the range: then PyTorch
follows a convention where the function does not need one, and the middle of the range is taken, which is less exact.
Where the range is wider there is a kink, or a singular point: there PyTorch's own gradient counts as one nearby. Sums
of elements may be smooth there nevertheless, as that over all from which the largest is taken: the sums over each row,
and those of elements at one place of several inputs, are kept as well.

An element's *size* is the sum of the absolute values of all that contributes to it, the cotangents times the elements
of the Jacobian: rounding errors are in proportion to that, and not to what remains after cancellation.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np

from tests.torch_reference.inputs import Draw, cotangents
from tests.torch_reference.operation import Operation, Point, points_of
from tests.torch_reference.sizes import exponent, exponent_of

SMOOTH = 1e-4  # a range that is narrower than this, in units of the element's size, is a single number
RANDOM = 40  # points nearby
# How many digits are stored: of gradients, if a kernel is of double precision or none is; of all else.
_DIGITS = {True: 11, False: 8}
_FEW = 7


def references(operation: Operation) -> dict[str, Any]:
    """What is stored of an operation, by point."""
    return {point.id: reference(point) for point in points_of(operation)}


def reference(point: Point) -> dict[str, Any]:
    import torch

    arrays = point.arrays()
    asked = _Asked(torch, point)
    values, weights, gradients = asked.at(arrays)
    sizes = asked.magnitudes(arrays, weights)
    near = [asked.at(other)[2] for other in _nearby(point, arrays, asked.names)]
    digits = _DIGITS[any(kernel.type == "f8" for kernel in point.operation.kernels)]
    ranges = {name: _range([g[name] for g in near]) for name in asked.names}
    return {
        "outputs": {
            name: {"shape": list(array.shape), "values": [_number(v, _FEW) for v in array.ravel()]}
            for name, array in values.items()
        },
        "gradients": {name: _elements(gradients[name], sizes[name], *ranges[name], digits) for name in asked.names},
        "sums": _sums(near, sizes, ranges, asked.names),
    }


class _Asked:
    """An operation as PyTorch computes it."""

    def __init__(self, torch: Any, point: Point) -> None:
        self.torch, self.point, self.operation = torch, point, point.operation
        self.names = [name for name in self.operation.inputs if name not in self.operation.given]

    def _run(self, arrays: dict[str, np.ndarray]) -> tuple[list[Any], list[Any]]:
        torch = self.torch
        tensors = {name: torch.tensor(a, dtype=torch.float64) for name, a in arrays.items()}
        integers = {name: torch.tensor(a, dtype=torch.int64) for name, a in self.point.integers().items()}
        leaves = [tensors[name].requires_grad_() for name in self.names]
        given = SimpleNamespace(**tensors, **integers, **self.point.sizes, **self.operation.constants)
        results = self.operation.function(torch, given)
        return leaves, list(results) if isinstance(results, tuple) else [results]

    def at(self, arrays: dict[str, np.ndarray]) -> tuple[dict[str, Any], list[Any], dict[str, np.ndarray]]:
        """Values, cotangents and gradients."""
        torch = self.torch
        leaves, results = self._run(arrays)
        assert len(results) == len(self.operation.outputs)
        weights = []
        for name, result in zip(self.operation.outputs, results, strict=True):
            numbers = cotangents(f"{self.operation.name} {name}", tuple(result.shape))
            weights.append(torch.tensor(numbers, dtype=torch.float64).reshape(result.shape))
        found = torch.autograd.grad(results, leaves, weights, allow_unused=True)
        values = {name: r.detach().numpy() for name, r in zip(self.operation.outputs, results, strict=True)}
        return values, weights, dict(zip(self.names, map(_numpy, found, leaves), strict=True))

    def magnitudes(self, arrays: dict[str, np.ndarray], weights: list[Any]) -> dict[str, np.ndarray]:
        """For each element the sum of what contributes to it, in absolute values."""
        torch = self.torch
        leaves, results = self._run(arrays)
        total = [np.zeros(leaf.shape) for leaf in leaves]
        for result, weight in zip(results, weights, strict=True):
            flat, numbers = result.reshape(-1), weight.reshape(-1)
            for k in range(len(flat)):
                found = torch.autograd.grad(flat[k], leaves, retain_graph=True, allow_unused=True)
                for sum_, part, leaf in zip(total, found, leaves, strict=True):
                    sum_ += np.nan_to_num(np.abs(_numpy(part, leaf) * float(numbers[k])), posinf=0.0)
        return dict(zip(self.names, total, strict=True))


def _numpy(gradient: Any, leaf: Any) -> np.ndarray:
    return np.zeros(tuple(leaf.shape)) if gradient is None else np.array(gradient.detach().numpy())


def _nearby(point: Point, arrays: dict[str, np.ndarray], names: list[str]) -> Iterator[dict[str, np.ndarray]]:
    draw, step = Draw(f"nearby {point.operation.name} {point.id}"), point.operation.step

    def moved(leading: tuple[str, int] | None = None, by: float = 0.0) -> dict[str, np.ndarray]:
        other = dict(arrays)
        for name in names:
            steps = np.array([draw.uniform() for _ in range(arrays[name].size)])
            if leading is not None:
                steps /= 2
                if leading[0] == name:
                    steps[leading[1]] = by
            other[name] = np.clip(arrays[name] + step * steps.reshape(arrays[name].shape), *point.operation.domain)
        return other

    for _ in range(RANDOM):
        yield moved()
    for name in names:
        for k in range(arrays[name].size):
            yield moved((name, k), 1.0)
            yield moved((name, k), -1.0)


def _range(found: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """The smallest and largest of each element, of those that are numbers; NaN where none is."""
    stacked = np.stack(found)
    finite = np.isfinite(stacked)
    low = np.where(finite, stacked, np.inf).min(0)
    high = np.where(finite, stacked, -np.inf).max(0)
    return np.where(finite.any(0), low, np.nan), np.where(finite.any(0), high, np.nan)


def _elements(gradient: np.ndarray, size: np.ndarray, low: np.ndarray, high: np.ndarray, digits: int) -> dict[str, Any]:
    """What is stored of an input: numbers, where the function is smooth; the range elsewhere; nothing where neither
    PyTorch's gradient nor those nearby are finite."""
    wanted: list[Any] = []
    sizes = []
    for g, s, a, b in zip(*(v.ravel().tolist() for v in (gradient, size, low, high)), strict=True):
        s = max(s, *(abs(v) for v in (g, a, b) if math.isfinite(v)), 0.0)
        room = SMOOTH * s
        if not math.isfinite(a):
            wanted.append(_number(g, digits) if math.isfinite(g) else None)
        elif b - a > room:
            near = [a, b, g] if math.isfinite(g) else [a, b]
            wanted.append([_number(min(near)), _number(max(near)), 1 if math.isfinite(g) else 0])
        elif math.isfinite(g) and a - room <= g <= b + room:
            wanted.append(_number(g, digits))
        else:
            wanted.append([_number((a + b) / 2), _number((a + b) / 2), 1 if math.isfinite(g) else 0])
        sizes.append(exponent(s))
    found = {"wanted": wanted, "columns": gradient.shape[-1] if gradient.ndim else 1}
    return found if sizes == [exponent_of(w) for w in wanted] else {**found, "size": sizes}


def _sums(
    near: list[dict[str, np.ndarray]],
    sizes: dict[str, np.ndarray],
    ranges: dict[str, tuple[np.ndarray, np.ndarray]],
    names: list[str],
) -> list[Any]:
    """Sums of elements that are smooth although not all of their elements are: [inputs, columns, {row: [sum, size]}],
    where a row of so many columns is summed in each of the inputs."""
    found = []
    for inputs, columns in _sets(sizes, names):
        sums = {}
        for row in range(sizes[inputs[0]].size // columns):
            part = slice(row * columns, (row + 1) * columns)
            low, high = (np.concatenate([ranges[name][side].ravel()[part] for name in inputs]) for side in (0, 1))
            size = float(np.maximum(abs(low), abs(high)).sum())
            if not math.isfinite(size) or float((high - low).max()) <= SMOOTH * size:
                continue
            totals = np.array([sum(float(g[name].ravel()[part].sum()) for name in inputs) for g in near])
            totals = totals[np.isfinite(totals)]
            if len(totals) and float(np.ptp(totals)) <= SMOOTH * size:
                sums[str(row)] = [_number(float(totals.mean())), _number(size)]
        if sums:
            found.append([inputs, columns, sums])
    return found


def _sets(sizes: dict[str, np.ndarray], names: list[str]) -> Iterator[tuple[list[str], int]]:
    """Which elements are summed: those of a row, and those at one place of several inputs."""
    for name in names:
        if sizes[name].ndim and sizes[name].shape[-1] > 1:
            yield [name], sizes[name].shape[-1]
    alike = [name for name in names if sizes[name].shape == sizes[names[0]].shape]
    if len(alike) > 1:
        yield alike, 1


def _number(value: float, digits: int = _FEW) -> float | str:
    """As JSON has it."""
    value = float(value)
    if not math.isfinite(value):
        return str(value)
    short = float(f"{value:.{digits}g}")
    return int(short) if short.is_integer() and abs(short) < 2**31 and math.copysign(1.0, short) > 0 else short
