"""The gradient check: what a gradient gives against the oracle, exactly, and against central differences, loosely.

With J the Jacobian of the final contents of all named arguments with respect to their initial contents, a gradient
turns the cotangent c, which it finds in the adjoints, into J^T c. So for every direction u

    <adjoints afterwards, u>  ==  <c, J u>

where J u is one run of the oracle. That covers arguments that are read, overwritten, updated in place and accumulated
into; scalars passed by value keep their contents, so their adjoints are added to. A host function's result counts as
one more output, with a cotangent of its own.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from cladpy.check.arguments import Array, element_dtype, is_buffer, private_copies, triple
from cladpy.check.oracle import Oracle, TangentResult
from cladpy.check.report import CheckReport, Finding
from cladpy.diagnostics import UsageError
from cladpy.ir.symbols import FunctionKind, Symbol
from cladpy.ir.types import is_floating, strip_reference
from cladpy.runtime import host_order
from cladpy.runtime.gradient import Gradient

DOUBLE_TOLERANCE = 1e-12
FLOAT_TOLERANCE = 5e-6
# How far values may be from the original's, in units of the precision and relative to the largest of an argument.
VALUE_TOLERANCE = 64.0
ORDERS = ("forward", "reverse", "random")
# The bound is widened only where the tangent's contributions are this much larger than what they sum up to.
WELL_CONDITIONED = 10.0

Shape = int | Sequence[int] | None


def check(
    gradient: Gradient,
    grid: Shape,
    block: Shape,
    args: Sequence[Any],
    *,
    seed: int = 0,
    shared_mem: int = 0,
    directions: int = 2,
    orders: Sequence[str] = ORDERS,
    differences: bool = True,
    tolerance: float | None = None,
    exact_values: bool = False,
    oracle: Oracle | None = None,
) -> CheckReport:
    """Compares `gradient` at the point `args` with the oracle; `grid` and `block` are None for host functions.

    `directions` random directions over all named arguments, and one per named argument on its own, in every thread
    order of the host backend. `exact_values` asks that the oracle's values are the original's bit for bit, which
    holds where the compiler folds no calls of math functions (constant arguments); else a few last bits may differ.

    Raises UsageError where a named argument has no floating-point elements.
    """
    one = _Check(gradient, grid, block, args, seed, shared_mem, oracle)
    one.value_bound = 0.0 if exact_values else VALUE_TOLERANCE
    return one.run(directions, orders, differences, tolerance)


class _Check:
    def __init__(
        self,
        gradient: Gradient,
        grid: Shape,
        block: Shape,
        args: Sequence[Any],
        seed: int,
        shared_mem: int,
        oracle: Oracle | None,
    ) -> None:
        self.gradient = gradient
        derivative = gradient.derivative
        if oracle is None:
            oracle = Oracle(derivative.program, derivative.options, derivative.source)
        self.oracle = oracle
        self.parameters: tuple[Symbol, ...] = self.oracle.function.parameters
        self.named = [self.parameters[a.parameter] for a in derivative.adjoints]
        for symbol in self.named:
            if element_dtype(symbol.type).kind != "f":
                raise UsageError(f"'{symbol.name}' is of integer type; the check compares floating-point arguments")
        self.value_bound = VALUE_TOLERANCE
        self.kernel = derivative.kind is FunctionKind.KERNEL
        self.grid, self.block, self.shared_mem = grid, block, shared_mem
        self.seed = seed
        self.rng = np.random.default_rng(seed)
        # the shapes are the caller's, the contents are private
        copies = private_copies(self.parameters, args)
        self.args = [c.reshape(np.shape(given) or (1,)) for c, given in zip(copies, args, strict=True)]
        self.position = {p: i for i, p in enumerate(self.parameters)}
        self.cotangents = {p.name: self._random_like(p) for p in self.named}
        floating_result = is_floating(strip_reference(derivative.result))
        self.cotangent = float(self.rng.uniform(0.5, 1.5)) if not self.kernel and floating_result else 0.0

    # ---- random vectors ---------------------------------------------------------------------------------------------

    def _random_like(self, symbol: Symbol) -> Array:
        """Nonzero everywhere, of both signs, exact in the argument's dtype."""
        array = self.args[self.position[symbol]]
        signed: Array = self.rng.uniform(0.5, 1.5, array.shape) * self.rng.choice((-1.0, 1.0), array.shape)
        return signed.astype(array.dtype)

    def _directions(self, count: int) -> Iterator[tuple[str, dict[str, Array]]]:
        for k in range(count):
            yield f"direction {k}", {p.name: self._random_like(p) for p in self.named}
        if len(self.named) > 1:
            for p in self.named:
                yield f"direction along {p.name}", {p.name: self._random_like(p)}

    # ---- running ----------------------------------------------------------------------------------------------------

    def _call_values(self, arrays: list[Array]) -> list[Any]:
        """Arguments as the runtime takes them: buffers as they are, scalars as NumPy scalars."""
        return [
            a if is_buffer(p.type) else a.reshape(-1)[0] for p, a in zip(self.parameters, arrays, strict=True)
        ]


    def _shape(self) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
        if self.grid is None or self.block is None:
            raise UsageError("a kernel is checked with a grid and a block")
        return triple(self.grid), triple(self.block)

    def _run_gradient(self, order: str) -> tuple[dict[str, Array], list[Finding]]:
        arrays = [a.copy() for a in self.args]
        adjoints = {name: c.copy() for name, c in self.cotangents.items()}
        passed = [*self._call_values(arrays), *adjoints.values()]
        with self._order(order):
            if self.kernel:
                self.gradient.execute_kernel(*self._shape(), *passed, shared_mem=self.shared_mem)
            else:
                self.gradient.execute(*passed, cotangent=self.cotangent or 1.0)
        findings = []
        for p, before, after in zip(self.parameters, self.args, arrays, strict=True):
            if before.tobytes() != after.tobytes():
                findings.append(Finding(f"argument {p.name} holds what it held before ({order})", float("inf"), 0.0))
        return adjoints, findings

    def _run_primal(self, arrays: list[Array]) -> float | None:
        """Runs the original in place on `arrays`."""
        passed = self._call_values(arrays)
        with self._order("forward"):
            if self.kernel:
                self.gradient.primal.execute_kernel(*self._shape(), *passed, shared_mem=self.shared_mem)
                return None
            value = self.gradient.primal.execute(*passed)
        return None if value is None else float(value)

    @contextlib.contextmanager
    def _order(self, order: str) -> Iterator[None]:
        if self.gradient.backend != "host":
            yield
            return
        with host_order(order, self.seed):
            yield

    def _tangent(self, direction: dict[str, Array]) -> TangentResult:
        return self.oracle.tangent(
            self.grid, self.block, self._call_values(self.args), direction, shared_mem=self.shared_mem
        )

    # ---- comparing --------------------------------------------------------------------------------------------------

    def run(self, count: int, orders: Sequence[str], differences: bool, tolerance: float | None) -> CheckReport:
        single = self.oracle.single_precision
        if tolerance is None:
            tolerance = FLOAT_TOLERANCE if single else DOUBLE_TOLERANCE
        findings: list[Finding] = []
        gradients: dict[str, dict[str, Array]] = {}
        for order in orders if self.gradient.backend == "host" else ("device",):
            gradients[order], changed = self._run_gradient(order)
            findings += changed
        joint: tuple[dict[str, Array], TangentResult] | None = None
        for what, direction in self._directions(count):
            tangent = self._tangent(direction)
            joint = joint or (direction, tangent)
            for order, adjoints in gradients.items():
                findings.append(self._compare(f"{what}, {order} order", adjoints, direction, tangent, tolerance))
        if joint is not None:
            findings += self._compare_values(joint[1])
            # what one run of the original leaves behind in a variable at namespace scope, the next would find there
            if differences and not joint[1].left_behind:
                findings.append(self._compare_differences(*joint, single))
        return CheckReport(self.gradient.derivative.function_name, tuple(findings))

    def _weighted(self, result: TangentResult) -> tuple[np.longdouble, np.longdouble]:
        """<c, J u>, and the same with magnitudes."""
        total = np.longdouble(self.cotangent) * np.longdouble(result.result_tangent)
        size = np.longdouble(abs(self.cotangent)) * np.longdouble(result.result_magnitude)
        for name, c in self.cotangents.items():
            wide = c.astype(np.longdouble)
            total += (wide * result.tangents[name].reshape(c.shape)).sum()
            size += (np.abs(wide) * result.magnitudes[name].reshape(c.shape)).sum()
        return total, size

    def _compare(
        self,
        what: str,
        adjoints: dict[str, Array],
        direction: dict[str, Array],
        tangent: TangentResult,
        tolerance: float,
    ) -> Finding:
        products = [adjoints[n].astype(np.longdouble) * u.astype(np.longdouble) for n, u in direction.items()]
        found = sum((p.sum() for p in products), start=np.longdouble(0))
        scale = sum((np.abs(p).sum() for p in products), start=np.longdouble(0))
        expected, size = self._weighted(tangent)
        if scale == 0:
            return Finding(what, 0.0 if expected == 0 else float("inf"), tolerance)
        condition = float(size / scale) / WELL_CONDITIONED
        condition = condition if condition > 1 else 1.0
        return Finding(what, float(abs(found - expected) / scale), tolerance * condition, condition)

    def _compare_values(self, result: TangentResult) -> list[Finding]:
        """The oracle's values against the original's run on the host."""
        if self.gradient.backend != "host":
            return []
        arrays = [a.copy() for a in self.args]
        value = self._run_primal(arrays)
        findings = []
        for p, after in zip(self.parameters, arrays, strict=True):
            if is_buffer(p.type):
                error = _value_error(after, result.values[p.name])
                findings.append(Finding(f"values of {p.name} as the original's", error, self.value_bound))
        if value is not None and result.result is not None:
            error = _value_error(np.array([value]), np.array([result.result]))
            findings.append(Finding("result as the original's", error, self.value_bound))
        return findings

    def _compare_differences(self, direction: dict[str, Array], tangent: TangentResult, single: bool) -> Finding:
        """The oracle against central differences of the original: the best of several steps, a loose bound."""
        expected, size = self._weighted(tangent)
        best = float("inf")
        for step in (1e-1, 3e-2, 1e-2, 1e-3) if single else (1e-3, 1e-4, 1e-5, 1e-6):
            difference = (self._functional(direction, step) - self._functional(direction, -step)) / (2 * step)
            error = abs(difference - expected)
            best = min(best, float(error / size) if size else float(error))
        return Finding("oracle against central differences", best, 2e-2 if single else 1e-5)

    def _functional(self, direction: dict[str, Array], step: float) -> Any:
        """<c, final contents> after a step along the direction."""
        arrays = [
            (a + step * direction[p.name]).astype(a.dtype) if p.name in direction else a.copy()
            for p, a in zip(self.parameters, self.args, strict=True)
        ]
        value = self._run_primal(arrays)
        total = np.longdouble(self.cotangent) * np.longdouble(value or 0.0)
        for p, array in zip(self.parameters, arrays, strict=True):
            if p.name in self.cotangents:
                total += (self.cotangents[p.name].astype(np.longdouble) * array).sum()
        return total


def _value_error(original: Array, found: Array) -> float:
    """The largest difference in units of the precision at the largest magnitude; 0 where all values are equal.

    The sign of a zero does not count: C leaves open which of two zeros fmax and fmin give.
    """
    if np.array_equal(original, found, equal_nan=original.dtype.kind == "f"):
        return 0.0
    if original.dtype.kind != "f":
        return float("inf")
    largest = np.abs(original).max(initial=0.0) * np.finfo(original.dtype).eps
    error = float(np.abs(original - found).max() / largest) if largest else float("inf")
    return error if error == error else float("inf")
