"""The gradient check: what a gradient gives against the oracle, exactly, and against central differences, loosely.

With J the Jacobian of the final contents of all named arguments with respect to their initial contents, a gradient
turns the cotangent c, which it finds in the adjoints, into J^T c. So for every direction u

    <adjoints afterwards, u>  ==  <c, J u>

where J u is one run of the oracle. That covers arguments that are read, overwritten, updated in place and accumulated
into; scalars passed by value keep their contents, so their adjoints are added to. A host function's result counts as
one more output, with a cotangent of its own. What is promised to be fresh has no cotangent, and what is consumed is in
no direction.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from cladpy.check.arguments import (
    Array,
    Tree,
    contents,
    copy_of,
    floats,
    guarded,
    has_floats,
    is_buffer,
    passed,
    private_copies,
    refreshed,
    shadow_of,
    triple,
    variable_copy,
)
from cladpy.check.oracle import Oracle, TangentResult
from cladpy.check.report import CheckReport, Finding
from cladpy.diagnostics import BackendError, UsageError
from cladpy.ir.halves import adjoint_value, is_pair
from cladpy.ir.symbols import FunctionKind, Symbol
from cladpy.ir.types import Struct, Type, holds_pointers, is_half, scalar_of, strip_reference
from cladpy.normalize.marks import calls_detached
from cladpy.runtime import host_order
from cladpy.runtime.arguments import with_counts
from cladpy.runtime.gradient import Gradient
from cladpy.runtime.guards import Guards, guarding
from cladpy.runtime.host_runtime import watching_runtime
from cladpy.runtime.structs import dtype_of
from cladpy.toolchain.entry import takes_cotangent

DOUBLE_TOLERANCE = 1e-12
FLOAT_TOLERANCE = 5e-6
# Where adjoints are summed up in halves: in objects of a class that has some.
HALF_TOLERANCE = 2e-2
# How far values may be from the original's: in units of the precision, at the largest of an argument.
VALUE_TOLERANCE = 64.0
VALUE_UNIT = "units in the last place of the largest"
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
    races: bool = False,
    split: bool = False,
    oracle: Oracle | None = None,
    variables: Mapping[str, Any] | None = None,
) -> CheckReport:
    """Compares `gradient` at the point `args` with the oracle; `grid` and `block` are None for host functions.
    `variables` has values for variables at namespace scope, by qualified name; others keep theirs.

    `directions` random directions over all named arguments, and one per named argument on its own, in every thread
    order of the host backend. `exact_values` asks that the oracle's values are the original's bit for bit, which
    holds where the compiler folds no calls of math functions (constant arguments); else a few last bits may differ.
    With `races` the original's own are looked for in any case, not only where something is wrong. With `split` the
    split form is checked too.

    Raises UsageError where a named argument has no floating-point elements, and where a variable that holds pointers is
    given no value.
    """
    one = _Check(gradient, grid, block, args, seed, shared_mem, oracle, variables)
    one.value_bound = 0.0 if exact_values else VALUE_TOLERANCE
    return one.run(directions, orders, differences, tolerance, races, split)


def sample(
    gradient: Gradient,
    grid: int | Sequence[int] | None,
    block: int | Sequence[int] | None,
    args: Sequence[Any],
    *,
    seed: int = 0,
    shared_mem: int = 0,
    variables: Mapping[str, Any] | None = None,
) -> list[Array]:
    """The numbers that one call adds to random cotangents, in the order of the adjoints: for comparing backends.

    Raises AssertionError where the call changes a primal argument.
    """
    one = _Check(gradient, grid, block, args, seed, shared_mem, None, variables)
    adjoints, changed = one._run_gradient("forward")
    if changed:
        raise AssertionError("; ".join(str(f) for f in changed))
    return [part for name in one.types for (part,) in one._parts(name, adjoints[name])]


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
        variables: Mapping[str, Any] | None,
    ) -> None:
        self.gradient = gradient
        derivative = gradient.derivative
        if oracle is None:
            oracle = Oracle(derivative.program, derivative.options, derivative.source)
        self.oracle = oracle
        self.parameters: tuple[Symbol, ...] = self.oracle.function.parameters
        self.named = [self.parameters[a.parameter] for a in derivative.adjoints]
        for symbol in self.named:
            if not has_floats(symbol.type):
                raise UsageError(f"'{symbol.name}' is of integer type; the check compares floating-point arguments")
        self.detached = calls_detached(derivative.program)
        self.value_bound = VALUE_TOLERANCE
        self.kernel = derivative.kind is FunctionKind.KERNEL
        self.grid, self.block, self.shared_mem = grid, block, shared_mem
        self.left = 0  # bytes that the original allocates and does not free
        self.seed = seed
        self.rng = np.random.default_rng(seed)
        self.args = private_copies(self.parameters, with_counts(derivative, args))
        self.position = {p: i for i, p in enumerate(self.parameters)}
        # what variables at namespace scope hold, by name; a const one keeps it
        self.variable_types = {g.name: g.type for g in derivative.globals}
        self.variables = {name: self._first(name, variables or {}) for name in self.variable_types}
        self.constants = {g.name for g in derivative.globals if g.const}
        self.shadowed = [g.name for g in derivative.globals if g.adjoint]
        self.types: dict[str, Type] = {p.name: p.type for p in self.named}
        self.types |= {f"::{name}": self.variable_types[name] for name in self.shadowed}
        self.fresh = frozenset(self._promised(derivative.options.fresh))
        self.consumed = frozenset(self._promised(derivative.options.consumed))
        self.cotangents = {name: self._random_like(name, zero=name in self.fresh) for name in self.types}
        result = strip_reference(derivative.result)
        self.result = result if not self.kernel and takes_cotangent(result) else None
        self.cotangent: Array = np.zeros(1) if self.result is None else np.zeros(1, dtype_of(adjoint_value(result)))
        if self.result is not None:
            for (number,) in floats(adjoint_value(result), self.cotangent):
                number[...] = self.rng.uniform(0.5, 1.5)

    def _first(self, name: str, given: Mapping[str, Any]) -> Tree:
        """What a variable holds to begin with."""
        type = self.variable_types[name]
        if name in given:
            return variable_copy(type, given[name], name)
        if holds_pointers(type):
            raise UsageError(f"the variable '{name}' holds pointers: it is given no value")
        content = self.gradient.primal.value_of(f"::{name}")
        return content.reshape(content.shape or 1)

    # ---- random vectors ---------------------------------------------------------------------------------------------

    def _parts(self, name: str, *trees: Tree) -> Iterator[tuple[Array, ...]]:
        """The numbers with an adjoint of an argument, or of a variable at namespace scope, in each of the trees."""
        return floats(self.types[name], *trees)

    def _promised(self, names: Sequence[str]) -> Iterator[str]:
        """The names that a promise is about."""
        for name in self.types:
            if name.removeprefix("::") in names:
                yield name

    def _random_like(self, name: str, *, zero: bool = False) -> Tree:
        """What has an adjoint: nonzero everywhere, of both signs, exact in the argument's dtype; or all zero."""
        if name.startswith("::"):
            primal = self.variables[name.removeprefix("::")]
        else:
            primal = self.args[next(i for i, p in enumerate(self.parameters) if p.name == name)]
        tree = shadow_of(self.types[name], primal, in_arrays=name.startswith("::"))
        for (part,) in self._parts(name, tree):
            part[...] = self.rng.uniform(0.5, 1.5, part.shape) * self.rng.choice((-1.0, 1.0), part.shape)
            if zero:
                part[...] = 0
        return tree

    def _directions(self, count: int) -> Iterator[tuple[str, dict[str, Tree]]]:
        """Along all that has an adjoint afterwards, and along each of these."""
        types = [name for name in self.types if name not in self.consumed]
        for k in range(count):
            yield f"direction {k}", {name: self._random_like(name) for name in types}
        if len(types) > 1:
            for name in types:
                yield f"direction along {name}", {name: self._random_like(name)}

    # ---- running ----------------------------------------------------------------------------------------------------

    def _call_values(self, arrays: list[Tree]) -> list[Any]:
        """Arguments as the runtime takes them."""
        return [passed(p.type, a) for p, a in zip(self.parameters, arrays, strict=True)]

    def _shape(self) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
        if self.grid is None or self.block is None:
            raise UsageError("a kernel is checked with a grid and a block")
        return triple(self.grid), triple(self.block)

    def _guarded(self, guards: Guards, arrays: Sequence[Tree]) -> list[Tree]:
        """Arguments whose arrays are guarded."""
        return [guarded(a, p.name, guards) for p, a in zip(self.parameters, arrays, strict=True)]

    def _run_gradient(self, order: str) -> tuple[dict[str, Tree], list[Finding]]:
        guards = Guards(before=order == "reverse")
        arrays = self._guarded(guards, self.args)
        adjoints = {name: guarded(c, f"_d_{name}", guards) for name, c in self.cotangents.items()}
        values = [*self._call_values(arrays), *(adjoints[p.name] for p in self.named)]
        variables = copy_of(self.variables)
        self._set_variables(variables)
        for name in self.shadowed:
            self.gradient.set_adjoint(f"::{name}", passed(self.variable_types[name], adjoints[f"::{name}"]))
        with self._order(order), guarding(guards), watching_runtime() as watch, _named("the gradient"):
            if self.kernel:
                self.gradient.execute_kernel(*self._shape(), *values, shared_mem=self.shared_mem)
            else:
                self.gradient.execute(*values, cotangent=1.0 if self.result is None else self.cotangent[0])
        findings = []
        if watch.left and not self.left:
            what = f"memory of the device is freed ({order}): {watch.left} bytes are left"
            findings.append(Finding(what, float("inf"), 0.0))
        for p, before, after in zip(self.parameters, self.args, arrays, strict=True):
            for (name, old), (_, new) in zip(contents(before, p.name), contents(after, p.name), strict=True):
                if old.tobytes() != new.tobytes():
                    findings.append(Finding(f"argument {name} holds what it held before ({order})", float("inf"), 0.0))
        for name in self.shadowed:
            content = self.gradient.adjoint_of(f"::{name}")
            adjoints[f"::{name}"] = refreshed(self.variable_types[name], adjoints[f"::{name}"], content)
        self._read_variables(variables)
        for first, (name, now) in zip(contents(self.variables, ""), contents(variables, ""), strict=True):
            if first[1].tobytes() != now.tobytes():
                what = f"variable {name.removeprefix('.')} holds what it held before ({order})"
                findings.append(Finding(what, float("inf"), 0.0))
        return adjoints, findings

    def _run_split(self) -> tuple[dict[str, Tree], list[Finding]]:
        """The forward half, which must do what the original does; then what it has written is spoilt, and the reverse
        half must neither notice nor change it."""
        expected, arrays = copy_of(self.args), copy_of(self.args)
        value = self._run_primal(expected, copy_of(self.variables))
        adjoints = copy_of(self.cotangents)
        variables = copy_of(self.variables)
        self._set_variables(variables)
        for name in self.shadowed:
            self.gradient.set_adjoint(f"::{name}", passed(self.variable_types[name], adjoints[f"::{name}"]))
        at, given = (self._shape(), {"shared_mem": self.shared_mem}) if self.kernel else ((), {})
        findings = []
        with self._order("forward"), watching_runtime() as watch, _named("the forward half"):
            found, tape = self.gradient.forward(*at, *self._call_values(arrays), **given)
        if value is not None and not all(self._as_before(a, b) for (_, a), (_, b) in self._results(value, found)):
            findings.append(Finding("the forward half gives the original's value", float("inf"), 0.0))
        for p, wanted, tree in zip(self.parameters, expected, arrays, strict=True):
            for (name, old), (_, new) in zip(contents(wanted, p.name), contents(tree, p.name), strict=True):
                if not self._as_before(old, new):
                    findings.append(Finding(f"the forward half leaves {name} as the original does", float("inf"), 0.0))
                if is_buffer(p.type) and re.sub(r"\[\d+\]", "", name) in self.gradient.derivative.written:
                    new.reshape(-1).view(np.uint8)[...] = 0xFF
        spoilt = copy_of(arrays)
        with self._order("forward"), watching_runtime() as watch, _named("the reverse half"):
            cotangent = 1.0 if self.result is None else self.cotangent[0]
            self.gradient.reverse(tape, *(adjoints[p.name] for p in self.named), cotangent=cotangent)
        if watch.left > 0 and not self.left:
            findings.append(Finding(f"the reverse half frees memory: {watch.left} bytes are left", float("inf"), 0.0))
        for p, old_tree, tree in zip(self.parameters, spoilt, arrays, strict=True):
            for (name, old), (_, new) in zip(contents(old_tree, p.name), contents(tree, p.name), strict=True):
                if old.tobytes() != new.tobytes():
                    findings.append(Finding(f"the reverse half leaves {name} alone", float("inf"), 0.0))
        for name in self.shadowed:
            content = self.gradient.adjoint_of(f"::{name}")
            adjoints[f"::{name}"] = refreshed(self.variable_types[name], adjoints[f"::{name}"], content)
        return adjoints, findings

    def _as_before(self, first: np.ndarray, again: np.ndarray) -> bool:
        """Whether the original has done the same twice; where threads run in any order, sums are rounded otherwise."""
        if self.gradient.backend == "host" or first.dtype.kind != "f":
            return first.tobytes() == again.tobytes()
        return _value_error(first, again) <= VALUE_TOLERANCE

    def _results(self, first: Any, again: Any) -> Iterator[tuple[tuple[str, Array], tuple[str, Array]]]:
        """The parts of two results of the function. A number comes as Python's: here it has its own precision."""
        both = ((np.asarray(v, self.cotangent.dtype) if isinstance(v, float) else v) for v in (first, again))
        return zip(*(contents(v, "result") for v in both), strict=True)

    def _set_variables(self, values: Mapping[str, Tree]) -> None:
        for name, value in values.items():
            if name not in self.constants:
                self.gradient.primal.set_value(f"::{name}", passed(self.variable_types[name], value))

    def _read_variables(self, values: dict[str, Tree]) -> None:
        for name, tree in values.items():
            values[name] = refreshed(self.variable_types[name], tree, self.gradient.primal.value_of(f"::{name}"))

    def _run_primal(self, arrays: list[Tree], variables: dict[str, Tree], *, before: bool = False) -> Any:
        """Runs the original in place on `arrays` and `variables`. `before` is as in `Guards`."""
        self._set_variables(variables)
        guards = Guards(before=before)
        own = self._guarded(guards, arrays)
        values = self._call_values(own)
        result = None
        with self._order("forward"), guarding(guards), watching_runtime() as watch, _named("the original"):
            if self.kernel:
                self.gradient.primal.execute_kernel(*self._shape(), *values, shared_mem=self.shared_mem)
            else:
                result = self.gradient.primal.execute(*values)
        self.left = watch.left
        for into, found in zip(arrays, own, strict=True):
            for (_, old), (_, new) in zip(contents(into, ""), contents(found, ""), strict=True):
                old[...] = new
        self._read_variables(variables)
        return result

    @contextlib.contextmanager
    def _order(self, order: str) -> Iterator[None]:
        if self.gradient.backend != "host":
            yield
            return
        with host_order(order, self.seed):
            yield

    def _tangent(self, direction: dict[str, Tree]) -> TangentResult:
        return self.oracle.tangent(
            self.grid,
            self.block,
            self._call_values(self.args),
            direction,
            shared_mem=self.shared_mem,
            variables=self.variables,
        )

    # ---- comparing --------------------------------------------------------------------------------------------------

    def run(
        self, count: int, orders: Sequence[str], differences: bool, tolerance: float | None, races: bool, split: bool
    ) -> CheckReport:
        single = self.oracle.single_precision
        halves = self.oracle.half_precision
        if tolerance is None:
            tolerance = FLOAT_TOLERANCE if single or halves else DOUBLE_TOLERANCE
            # where such objects lie behind what is no argument's type, they are read by this function
            read = "cladpy::wide(" in self.gradient.code
            if read or any(_has_half_adjoints(type) for type in self.types.values()):
                tolerance = HALF_TOLERANCE
        findings: list[Finding] = []
        if self.gradient.backend == "host":  # what is wrong with the original is not the gradient's fault
            for before in (False, True):
                self._run_primal(copy_of(self.args), copy_of(self.variables), before=before)
        gradients: dict[str, dict[str, Tree]] = {}
        for order in orders if self.gradient.backend == "host" else ("device",):
            gradients[order], changed = self._run_gradient(order)
            findings += changed
        if split:
            gradients["split"], changed = self._run_split()
            findings += changed
        joint: tuple[dict[str, Tree], TangentResult] | None = None
        with np.errstate(invalid="ignore"):  # where both are infinite there is no difference, which is told
            for what, direction in self._directions(count):
                tangent = self._tangent(direction)
                joint = joint or (direction, tangent)
                for order, adjoints in gradients.items():
                    findings.append(self._compare(f"{what}, {order} order", adjoints, direction, tangent, tolerance))
        if joint is not None:
            findings += self._compare_values(joint[1])
            # What one run of the original leaves behind in a variable at namespace scope, the next would find there;
            # no step can be taken along a const one; and differences know nothing of nondifferentiable marks.
            # And a small step is lost in the rounding of a half.
            differences = differences and not halves
            if differences and not joint[1].left_behind and not self.constants and not self.detached:
                findings.append(self._compare_differences(*joint, single))
        race = ""
        if self.kernel and (races or not all(f.ok for f in findings)):
            race = self.oracle.race(*self._shape(), self._call_values(self.args), self.shared_mem, self.variables)
        spoilt = [] if joint is None else self._spoilt(joint[1])
        singular = joint is not None and not np.isfinite(self._weighted(joint[1])[0])
        return CheckReport(self.gradient.derivative.function_name, tuple(findings), race, tuple(spoilt), singular)

    def _spoilt(self, result: TangentResult) -> list[str]:
        """The arguments in which the original leaves what is no finite number, where there was one."""
        names = []
        for p, before in zip(self.parameters, self.args, strict=True):
            pairs = zip(contents(before, p.name), contents(result.values[p.name], p.name), strict=True)
            names += [
                name
                for (name, old), (_, new) in pairs
                if old.dtype.kind == "f" and (np.isfinite(old) & ~np.isfinite(new.reshape(old.shape))).any()
            ]
        return names

    def _weighted(self, result: TangentResult) -> tuple[np.longdouble, np.longdouble]:
        """<c, J u>, and the same with magnitudes."""
        total = size = np.longdouble(0)
        if self.result is not None:
            for c, t, m in floats(self.result, self.cotangent, result.result_tangent, result.result_magnitude):
                total += np.longdouble(c[0]) * t.reshape(c.shape)[0]
                size += abs(np.longdouble(c[0])) * m.reshape(c.shape)[0]
        for n in self.types:
            for c, t, m in self._parts(n, self.cotangents[n], result.tangents[n], result.magnitudes[n]):
                wide = c.astype(np.longdouble)
                total += (wide * t.reshape(c.shape)).sum()
                size += (np.abs(wide) * m.reshape(c.shape)).sum()
        return total, size

    def _compare(
        self,
        what: str,
        adjoints: dict[str, Tree],
        direction: dict[str, Tree],
        tangent: TangentResult,
        tolerance: float,
    ) -> Finding:
        products = [
            d.astype(np.longdouble) * u.astype(np.longdouble)
            for name, along in direction.items()
            for u, d in self._parts(name, along, adjoints[name])
        ]
        found = sum((p.sum() for p in products), start=np.longdouble(0))
        scale = sum((np.abs(p).sum() for p in products), start=np.longdouble(0))
        expected, size = self._weighted(tangent)
        if scale == 0:
            # a product of many small factors is lost where it is less than the least number of the precision
            least = np.finfo(np.float32 if self.oracle.single_precision else np.float64).tiny
            return Finding(what, 0.0 if abs(expected) < least else float("inf"), tolerance)
        condition = float(size / scale) / WELL_CONDITIONED
        condition = condition if condition > 1 else 1.0
        return Finding(what, float(abs(found - expected) / scale), tolerance * condition, condition)

    def _compare_values(self, result: TangentResult) -> list[Finding]:
        """The oracle's values against the original's run on the host."""
        if self.gradient.backend != "host":
            return []
        arrays = copy_of(self.args)
        variables = copy_of(self.variables)
        value = self._run_primal(arrays, variables)
        findings = []
        for p, after in zip(self.parameters, arrays, strict=True):
            if is_buffer(p.type) or isinstance(after, dict | list):
                for (name, own), (_, found) in zip(
                    contents(after, p.name), contents(result.values[p.name], p.name), strict=True
                ):
                    findings.append(self._compare_value(f"values of {name}", own, found))
        known = {name: result.values.get(f"::{name}") for name in variables}
        for name, content in variables.items():
            if known[name] is None:
                continue
            for (part, own), (_, found) in zip(contents(content, name), contents(known[name], name), strict=True):
                findings.append(self._compare_value(f"values of {part}", own, found))
        if value is not None and result.result is not None:
            for (name, own), (_, found) in self._results(value, result.result):
                findings.append(self._compare_value(name, own, found))
        return findings

    def _compare_value(self, what: str, own: Array, found: Array) -> Finding:
        error = _value_error(own, found.reshape(own.shape))
        return Finding(f"{what} as the original's", error, self.value_bound, unit=VALUE_UNIT)

    def _compare_differences(self, direction: dict[str, Tree], tangent: TangentResult, single: bool) -> Finding:
        """The oracle against central differences of the original: the best of several steps, a loose bound."""
        expected, size = self._weighted(tangent)
        best = float("inf")
        for step in (1e-1, 3e-2, 1e-2, 1e-3) if single else (1e-3, 1e-4, 1e-5, 1e-6):
            difference = (self._functional(direction, step) - self._functional(direction, -step)) / (2 * step)
            error = abs(difference - expected)
            best = min(best, float(error / size) if size else float(error))
        return Finding("oracle against central differences", best, 2e-2 if single else 1e-5)

    def _functional(self, direction: dict[str, Tree], step: float) -> Any:
        """<c, final contents> after a step along the direction."""
        arrays = copy_of(self.args)
        variables = copy_of(self.variables)
        trees = {p.name: array for p, array in zip(self.parameters, arrays, strict=True)}
        trees |= {f"::{name}": content for name, content in variables.items()}
        for name, along in direction.items():
            for u, a in self._parts(name, along, trees[name]):
                a[...] = (a + step * u).astype(a.dtype)
        value = self._run_primal(arrays, variables)
        trees |= {f"::{name}": content for name, content in variables.items()}
        total = np.longdouble(0)
        if self.result is not None:
            for c, v in floats(self.result, self.cotangent, value):
                total += np.longdouble(c[0]) * np.longdouble(v.reshape(c.shape)[0])
        for name, cotangent in self.cotangents.items():
            for c, a in self._parts(name, cotangent, trees[name]):
                total += (c.astype(np.longdouble) * a).sum()
        return total


@contextlib.contextmanager
def _named(what: str) -> Iterator[None]:
    """Says of a run that fails what was run."""
    try:
        yield
    except BackendError as error:
        raise BackendError(f"{what} fails: {error}") from None


def _has_half_adjoints(type: Type) -> bool:
    """Whether the adjoint of an argument has halves: it lies in objects of a class of the user's."""
    core = scalar_of(type)
    return isinstance(core, Struct) and not is_pair(core) and _has_halves(core, frozenset())


def _has_halves(type: Type, seen: frozenset[Struct]) -> bool:
    core = scalar_of(type)
    if not isinstance(core, Struct):
        return is_half(core)
    return core not in seen and any(_has_halves(f.type, seen | {core}) for f in core.fields)


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
