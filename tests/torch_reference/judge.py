"""Whether a kernel's gradient at a point is what PyTorch's says that it has to be.

With `size` as in `reference.py`, and `e` a bound that goes with the kernel's type:

- where the function is smooth, an element is off by no more than e * size;
- where it has a kink, the element lies in the range of the nearby gradients, up to e * size, and sums of elements that
  are smooth are off by no more than e * size as well;
- no element is NaN or infinite, unless PyTorch's gradient is, and those nearby are not finite either.

The values that the kernel computes are compared too: a kernel that computes something else is no kernel of the
operation.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from cladpy.runtime.gradient import Gradient
from cladpy.runtime.scalars import bfloat16_bits, bfloat16_values
from tests.torch_reference.inputs import cotangents
from tests.torch_reference.operation import HERE, Point, Row
from tests.torch_reference.sizes import exponent_of

BFLOAT = "bf2"
# What is allowed, in units of an element's size; in units of the largest size in its row and of what a kernel is said
# to cancel, for what is lost to rounding where contributions cancel before they reach the element; and in any case, for
# what PyTorch itself loses to rounding.
BOUNDS = {"f8": 1e-10, "f4": 3e-5, "f2": 2e-2, BFLOAT: 1e-1}
ROUNDING = {"f8": 2e-15, "f4": 2e-7, "f2": 1e-3, BFLOAT: 8e-3}
FLOORS = {"f8": 1e-16, "f4": 1e-16, "f2": 2e-4, BFLOAT: 1e-16}
VALUES = {"f8": 2e-6, "f4": 1e-5, "f2": 1e-2, BFLOAT: 6e-2}
# What is stored as a middle of a range, or as a mean.
NEARBY = 1e-5


@cache
def stored(program: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((HERE / "stored" / f"{program}.json").read_text())
    return found


def _held(array: np.ndarray, dtype: str) -> np.ndarray:
    return bfloat16_bits(array) if dtype == BFLOAT else array.astype(dtype)


def _read(array: np.ndarray, dtype: str) -> np.ndarray:
    return np.asarray(bfloat16_values(array) if dtype == BFLOAT else array, float)


def exponents(elements: Mapping[str, Any]) -> list[int | None]:
    """The exponents of the elements' sizes; those that are stored, or those of the numbers wanted."""
    if "size" in elements:
        found: list[int | None] = elements["size"]
        return found
    return [exponent_of(wanted) for wanted in elements["wanted"]]


@dataclass
class Run:
    """A kernel and its gradient at a point."""

    row: Row
    point: Point

    def reference(self) -> dict[str, Any]:
        found: dict[str, Any] = stored(self.row.file)[self.row.operation.name][self.point.id]
        return found

    def run(self, gradient: Gradient) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
        """The values and the adjoints that it gives."""
        operation, kernel, outputs = self.row.operation, self.row.kernel, self.reference()["outputs"]
        derivative = gradient.derivative
        names = [p.name for p in derivative.program.functions[derivative.program.entry].parameters]
        named = [names[a.parameter] for a in derivative.adjoints]
        adjoint_type = "f4" if kernel.type in ("f2", BFLOAT) else kernel.type
        values: dict[str, Any] = {**self.point.sizes, **operation.constants, **self.point.integers()}
        values |= {name: _held(array.ravel(), kernel.type) for name, array in self.point.arrays().items()}
        adjoints = {name: np.zeros(np.shape(values[name]), adjoint_type) for name in named if name not in outputs}
        for name, numbers in outputs.items():
            shape = tuple(numbers["shape"])
            values[name] = _held(np.zeros(len(numbers["values"])), kernel.type)
            adjoints[name] = np.array(cotangents(f"{operation.name} {name}", shape), adjoint_type)
        grid = self.point.sizes[kernel.grid] if isinstance(kernel.grid, str) else kernel.grid
        launch = (grid, kernel.block)
        arguments = [values[name] for name in names]
        gradient.execute_kernel(*launch, *arguments, *(adjoints[n] for n in named), shared_mem=kernel.shared_mem)
        gradient.primal.execute_kernel(*launch, *arguments, shared_mem=kernel.shared_mem)
        return {name: _read(values[name], kernel.type) for name in outputs}, adjoints

    def faults(self, gradient: Gradient) -> list[str]:
        """What is wrong, in words."""
        return self.judged(*self.run(gradient))

    def judged(self, values: Mapping[str, np.ndarray], adjoints: Mapping[str, np.ndarray]) -> list[str]:
        """What is wrong with what a run gives."""
        reference = self.reference()
        bound = BOUNDS[self.row.kernel.type] * self.row.kernel.loose
        found: list[str] = []
        for name, numbers in reference["outputs"].items():
            found += self._of_values(name, values[name].ravel(), numbers["values"])
        for name, elements in reference["gradients"].items():
            found += self._of_elements(name, adjoints[name].ravel(), elements, bound)
        found += self._of_sums(adjoints, reference["sums"], bound)
        return found

    def _of_values(self, name: str, values: np.ndarray, numbers: list[Any]) -> Iterator[str]:
        room = VALUES[self.row.kernel.type] * self.row.kernel.loose
        for k, (value, wanted) in enumerate(zip(values.tolist(), map(float, numbers), strict=True)):
            far = abs(value - wanted) > room * max(1.0, abs(wanted)) if math.isfinite(wanted) else value != wanted
            if (far or value != value) and wanted == wanted:
                yield f"the value {name}[{k}] is {value:.9g}, not {wanted:.9g}"

    def _of_elements(self, name: str, found: np.ndarray, elements: Mapping[str, Any], bound: float) -> Iterator[str]:
        sizes = [0.0 if exponent is None else math.ldexp(1.0, exponent) for exponent in exponents(elements)]
        columns = elements["columns"]
        for k, (g, wanted, size) in enumerate(
            zip(found.astype(float).tolist(), elements["wanted"], sizes, strict=True)
        ):
            row = k - k % columns
            largest = max(self.row.kernel.cancels, *sizes[row : row + columns])
            room = bound * size + ROUNDING[self.row.kernel.type] * largest + FLOORS[self.row.kernel.type]
            if wanted is None:
                continue
            if isinstance(wanted, list):
                low, high, finite = wanted
                room += NEARBY * size
                if not math.isfinite(g) and not finite:
                    continue
                if not low - room <= g <= high + room:
                    what = f"in [{low:.9g}, {high:.9g}]" if low < high else f"{low:.9g}, as nearby"
                    yield f"d_{name}[{k}] is {g:.9g}, not {what}"
            elif not abs(g - wanted) <= room:
                yield f"d_{name}[{k}] is {g:.9g}, not {wanted:.9g}"

    def _of_sums(self, found: Mapping[str, np.ndarray], sums: list[Any], bound: float) -> Iterator[str]:
        kernel = self.row.kernel
        for inputs, columns, rows in sums:
            cancelled = ROUNDING[kernel.type] * kernel.cancels * columns
            for row, (wanted, size) in rows.items():
                first = int(row) * columns
                total = sum(float(found[name][first : first + columns].astype(float).sum()) for name in inputs)
                room = (bound * max(1.0, columns / 8) + NEARBY) * size + cancelled + FLOORS[kernel.type]
                if not abs(total - wanted) <= room:
                    what = " + ".join(f"d_{name}" for name in inputs)
                    where = f"[{first}]" if columns == 1 else f"[{first}..{first + columns - 1}], summed,"
                    yield f"({what}){where} is {total:.9g}, not {wanted:.9g}"


def summary(faults: list[str]) -> str:
    """The first of what is wrong, and how much more there is."""
    more = f"; and {len(faults) - 2} more" if len(faults) > 2 else ""
    return "; ".join(faults[:2]) + more
