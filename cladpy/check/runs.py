"""The runs of a gradient check: of the original, of the gradient and of its two halves, at one point.

What they are given is copied and guarded: a run finds what the first one found, and tells of what it changes though it
must not, of memory that it leaves behind, and of elements beside its arrays.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from copy import copy
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
    object_type,
    passed,
    private_copies,
    refreshed,
    shadow_of,
    triple,
    variable_copy,
)
from cladpy.check.report import Finding
from cladpy.check.sharing import Sharing, given_sharing, leaves
from cladpy.diagnostics import BackendError, UsageError
from cladpy.ir.halves import adjoint_value
from cladpy.ir.symbols import FunctionKind, Symbol
from cladpy.ir.types import Array as Rows
from cladpy.ir.types import Pointer, Type, holds_pointers, strip_reference, vector_in
from cladpy.runtime import host_order
from cladpy.runtime.arguments import with_counts
from cladpy.runtime.gradient import Gradient
from cladpy.runtime.guards import Guards, guarding
from cladpy.runtime.host_runtime import watching_runtime
from cladpy.runtime.order import host_workers
from cladpy.runtime.structs import dtype_of, members_of
from cladpy.targets import TARGETS
from cladpy.toolchain.entry import takes_cotangent

# How far values may be from the original's: in units of the precision, at the largest of an argument.
VALUE_TOLERANCE = 64.0
# What sums of OpenMP's threads may be away from those of one, or from what they were before, in these units.
SUMS_OF_TEAMS = 1e3

Shape = int | Sequence[int] | None


class Runs:
    """The original and its gradient at a point: what they are given, and how they are run."""

    def __init__(
        self,
        gradient: Gradient,
        grid: Shape,
        block: Shape,
        args: Sequence[Any],
        seed: int,
        shared_mem: int,
        variables: Mapping[str, Any] | None,
        sharing: Sharing | None = None,
    ) -> None:
        """Arguments share memory as those that are given do, or as `sharing` says."""
        self.gradient = gradient
        derivative = gradient.derivative
        self.parameters: tuple[Symbol, ...] = derivative.program.functions[derivative.program.entry].parameters
        self.named = [self.parameters[a.parameter] for a in derivative.adjoints]
        for symbol in self.named:
            if not has_floats(symbol.type):
                raise UsageError(f"'{symbol.name}' is of integer type; the check compares floating-point arguments")
        self.kernel = derivative.kind is FunctionKind.KERNEL
        self.grid, self.block, self.shared_mem = grid, block, shared_mem
        self.left = 0  # bytes that the original allocates and does not free
        self.seed = seed
        self.rng = np.random.default_rng(seed)
        given = with_counts(derivative, args)
        self.args = private_copies(self.parameters, given)
        self.sharing = sharing or Sharing()
        if derivative.options.may_alias and sharing is None:
            names = [p.name for p in self.parameters]
            copies = self._by_name(self.args)
            self.sharing = given_sharing(dict(zip(names, given, strict=True)), copies, list(self.pointed(names)))
        self.args = self.joined(self.args)
        # what variables at namespace scope hold, by name; a const one keeps it
        self.variable_types = {g.name: g.type for g in derivative.globals}
        self.variables = {name: self._first(name, variables or {}) for name in self.variable_types}
        self.constants = {g.name for g in derivative.globals if g.const}
        self.shadowed = [g.name for g in derivative.globals if g.adjoint]
        self.types: dict[str, Type] = {p.name: p.type for p in self.named}
        self.types |= {f"::{name}": self.variable_types[name] for name in self.shadowed}
        self.fresh = frozenset(self._promised(derivative.options.fresh))
        self.consumed = frozenset(self._promised(derivative.options.consumed))
        self.cotangents = self.random(self.types, zero=self.fresh)
        result = strip_reference(derivative.result)
        self.result = result if not self.kernel and takes_cotangent(result) else None
        self.cotangent: Array = np.zeros(1) if self.result is None else np.zeros(1, dtype_of(adjoint_value(result)))
        if self.result is not None:
            for (number,) in floats(adjoint_value(result), self.cotangent):
                number[...] = self.rng.uniform(0.5, 1.5)

    def of(self, gradient: Gradient) -> Runs:
        """The same runs of another gradient of the original's, by the same arguments."""
        other = copy(self)
        other.gradient = gradient
        return other

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

    def parts(self, name: str, *trees: Tree) -> Iterator[tuple[Array, ...]]:
        """The numbers with an adjoint of an argument, or of a variable at namespace scope, in each of the trees. What
        arguments share belongs to one of them."""
        return floats(self.types[name], *(self.sharing.own(name, tree) for tree in trees))

    def _promised(self, names: Sequence[str]) -> Iterator[str]:
        """The names that a promise is about."""
        for name in self.types:
            if name.removeprefix("::") in names:
                yield name

    def primal_of(self, name: str) -> Tree:
        """What an argument holds, or a variable at namespace scope, to begin with."""
        if name.startswith("::"):
            return self.variables[name.removeprefix("::")]
        return self.args[next(i for i, p in enumerate(self.parameters) if p.name == name)]

    def zeros(self, names: Collection[str]) -> dict[str, Tree]:
        """What has an adjoint: all zero."""
        found = {n: shadow_of(self.types[n], self.primal_of(n), in_arrays=n.startswith("::")) for n in names}
        return self.sharing.joined(found)

    def random(self, names: Collection[str], *, zero: Collection[str] = ()) -> dict[str, Tree]:
        """What has an adjoint: nonzero everywhere, of both signs, exact in the argument's dtype; or all zero. Where
        arguments share memory all of them are there, since a number that is one's own may be another's as well."""
        trees = self.zeros(self.types if self.sharing else names)
        for name in names:
            for (part,) in self.parts(name, trees[name]):
                part[...] = self.rng.uniform(0.5, 1.5, part.shape) * self.rng.choice((-1.0, 1.0), part.shape)
                if name in zero:
                    part[...] = 0
        return trees

    # ---- memory that is shared --------------------------------------------------------------------------------------

    def _by_name(self, trees: Sequence[Tree]) -> dict[str, Tree]:
        return {p.name: tree for p, tree in zip(self.parameters, trees, strict=True)}

    def joined(self, arrays: Sequence[Tree]) -> list[Tree]:
        """Arguments of which those that share memory do."""
        return list(self.sharing.joined(self._by_name(arrays)).values())

    def copies(self) -> list[Tree]:
        """Copies of the arguments, that share memory as these do."""
        return self.joined(copy_of(self.args))

    def may_share(self) -> dict[str, Array]:
        """The arrays that may be parts of one memory, with their adjoints: nothing is promised of these."""
        free = [name for name in self.types if not name.startswith("::") and name not in self.fresh | self.consumed]
        known = dict(found for name in free for found in leaves(self.primal_of(name), name))
        wide = {path: a.dtype for name in free for path, a in leaves(self.cotangents[name], name)}
        kinds = {known[path].dtype: wide[path] for path in known if path in wide}
        return {
            path: known[path] for path in self.pointed(free) if path in wide and wide[path] == kinds[known[path].dtype]
        }

    def pointed(self, names: Collection[str]) -> Iterator[str]:
        """The names of the arrays that pointers in arguments lead to."""
        for p, tree in zip(self.parameters, self.args, strict=True):
            if p.name in names:
                yield from _pointed(p.type, tree, p.name)

    # ---- running ----------------------------------------------------------------------------------------------------

    def call_values(self, arrays: list[Tree]) -> list[Any]:
        """Arguments as the runtime takes them."""
        return [passed(p.type, a) for p, a in zip(self.parameters, arrays, strict=True)]

    def shape(self) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
        if self.grid is None or self.block is None:
            raise UsageError("a kernel is checked with a grid and a block")
        return triple(self.grid), triple(self.block)

    def _guarded(self, guards: Guards, trees: Mapping[str, Tree], prefix: str = "") -> dict[str, Tree]:
        """The same with arrays that are guarded."""
        alone = {name: guarded(tree, f"{prefix}{name}", guards) for name, tree in trees.items()}
        return self.sharing.joined(alone, guards.copy)

    def run_gradient(self, order: str) -> tuple[dict[str, Tree], list[Finding]]:
        """One call: in an order of threads, or by "workers", as calls of users run."""
        with host_workers(order == "workers"):
            return self._run_gradient(order)

    def _run_gradient(self, order: str) -> tuple[dict[str, Tree], list[Finding]]:
        guards = Guards(before=order == "reverse")
        arrays = list(self._guarded(guards, self._by_name(self.args)).values())
        adjoints = self._guarded(guards, self.cotangents, "_d_")
        values = [*self.call_values(arrays), *(adjoints[p.name] for p in self.named)]
        variables = copy_of(self.variables)
        self._set_variables(variables)
        for name in self.shadowed:
            self.gradient.set_adjoint(f"::{name}", passed(self.variable_types[name], adjoints[f"::{name}"]))
        with self._order(order), guarding(guards), watching_runtime() as watch, _named("the gradient"):
            if self.kernel:
                self.gradient.execute_kernel(*self.shape(), *values, shared_mem=self.shared_mem)
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

    def run_split(self) -> tuple[dict[str, Tree], list[Finding]]:
        """The forward half, which must do what the original does; then what it has written is spoilt, and the reverse
        half must neither notice nor change it."""
        expected, again, arrays = self.copies(), self.copies(), self.copies()
        value = self.run_primal(expected, copy_of(self.variables))
        another = self.run_primal(again, copy_of(self.variables))  # what tells the time is not the same twice
        adjoints = self.sharing.joined(copy_of(self.cotangents))
        variables = copy_of(self.variables)
        self._set_variables(variables)
        for name in self.shadowed:
            self.gradient.set_adjoint(f"::{name}", passed(self.variable_types[name], adjoints[f"::{name}"]))
        given: dict[str, Any] = {"shared_mem": self.shared_mem} if self.kernel else {}
        at = self.shape() if self.kernel else ()
        findings = []
        with self._order("forward"), watching_runtime() as watch, _named("the forward half"):
            found, tape = self.gradient.forward(*at, *self.call_values(arrays), **given)
        if self._differ(value, found) and not self._differ(value, another):
            findings.append(Finding("the forward half gives the original's value", float("inf"), 0.0))
        for p, *trees in zip(self.parameters, expected, again, arrays, strict=True):
            for (name, old), (_, other), (_, new) in zip(*(contents(t, p.name) for t in trees), strict=True):
                if not self._as_before(old, new) and self._as_before(old, other):
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

    @property
    def by_teams(self) -> bool:
        """Whether threads of the host sum up in any order."""
        return self.gradient.derivative.program.openmp or TARGETS[self.gradient.backend].is_portable

    def _differ(self, value: Any, again: Any) -> bool:
        """Whether two results of the function are none of one."""
        return value is not None and not all(self._as_before(a, b) for (_, a), (_, b) in self.results(value, again))

    def _as_before(self, first: np.ndarray, again: np.ndarray) -> bool:
        """Whether the original has done the same twice; where threads run in any order, sums are rounded otherwise."""
        openmp = self.by_teams
        if first.dtype.kind != "f" or (not TARGETS[self.gradient.backend].runs_on_device and not openmp):
            return first.tobytes() == again.tobytes()
        return value_error(first, again) <= (SUMS_OF_TEAMS if openmp else VALUE_TOLERANCE)

    def depends_on_order(self, orders: Sequence[str]) -> str:
        """The name of what the original leaves otherwise where its threads run in another order, by more than sums are
        rounded; empty where there is nothing, and where orders cannot be asked for."""
        return next(self.left_otherwise(orders), "")

    def left_otherwise(self, orders: Sequence[str]) -> Iterator[str]:
        """The names of all that is, as often as it is."""
        if TARGETS[self.gradient.backend].runs_on_device:
            return
        left: dict[str, Array] = {}
        for order in orders:
            arrays, variables = self.copies(), copy_of(self.variables)
            result = self.run_primal(arrays, variables, order=order)
            if isinstance(result, float):  # a number comes as Python's: here it has its own precision
                result = np.asarray(result, self.cotangent.dtype)
            trees = {**self._by_name(arrays), **variables, **({} if result is None else {"result": result})}
            for tree_name, tree in trees.items():
                for name, found in contents(tree, tree_name):
                    if value_error(left.setdefault(name, found), found) > VALUE_TOLERANCE:
                        yield name

    def results(self, first: Any, again: Any) -> Iterator[tuple[tuple[str, Array], tuple[str, Array]]]:
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

    def run_primal(
        self, arrays: list[Tree], variables: dict[str, Tree], *, before: bool = False, order: str = "forward"
    ) -> Any:
        """Runs the original in place on `arrays` and `variables`. `before` is as in `Guards`, `order` that of the
        threads, on the host."""
        self._set_variables(variables)
        guards = Guards(before=before)
        own = list(self._guarded(guards, self._by_name(arrays)).values())
        values = self.call_values(own)
        result = None
        with self._order(order), guarding(guards), watching_runtime() as watch, _named("the original"):
            if self.kernel:
                self.gradient.primal.execute_kernel(*self.shape(), *values, shared_mem=self.shared_mem)
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
        if TARGETS[self.gradient.backend].runs_on_device or order == "workers":
            yield
            return
        with host_order(order, self.seed):
            yield


def _pointed(type: Type, tree: Tree, name: str) -> Iterator[str]:
    """The names of the arrays behind pointers."""
    inner = strip_reference(type)
    if isinstance(tree, dict):
        for member in members_of(object_type(type)):
            yield from _pointed(member.type, tree.get(member.name), f"{name}.{member.name}")
    elif isinstance(tree, list) and isinstance(inner, Pointer | Rows):
        element = inner.pointee if isinstance(inner, Pointer) else inner.element
        for k, part in enumerate(tree):
            yield from _pointed(element, part, f"{name}[{k}]")
    elif isinstance(tree, np.ndarray) and isinstance(vector_in(inner) or inner, Pointer):
        yield name


@contextlib.contextmanager
def _named(what: str) -> Iterator[None]:
    """Says of a run that fails what was run."""
    try:
        yield
    except BackendError as error:
        raise BackendError(f"{what} fails: {error}") from None


def value_error(original: Array, found: Array) -> float:
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
