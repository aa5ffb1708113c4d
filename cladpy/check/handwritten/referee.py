"""What a hand-written backward gives at an input, against our own gradient and, where the two differ, against the
witnesses of the gradient check: differences of the forward, then the oracle.

Numbers differ where they do so by more than what rounding may do to either. How much that is shows when all that the
forward is given is moved by a rounding error: both are run again there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cladpy.check.arguments import Array, Tree, contents, copy_of
from cladpy.check.elements import Elements
from cladpy.check.gradient_check import ORDERS, Check, check
from cladpy.check.handwritten.adapter import HandWritten
from cladpy.check.handwritten.inputs import Input
from cladpy.check.handwritten.roles import GRADIENT, RETURN, Role
from cladpy.check.oracle import Oracle
from cladpy.check.report import CheckReport, Examined
from cladpy.check.runs import VALUE_TOLERANCE, Runs
from cladpy.diagnostics import BackendError, CladpyError, DifferentiationError
from cladpy.ir.symbols import FunctionKind
from cladpy.ir.types import FLOAT, is_half, scalar_of, strip_reference
from cladpy.runtime import Gradient

# What numbers of an algorithm of one's own may be off, relative, beside what rounding of the input does to them.
_DOUBLE, _FLOAT, _HALF = 1e-9, 1e-4, 2e-2
_NOISE, _DRAWS = 16.0, 3
# What rounding inside may do to a number, in units of the precision, at the largest of its argument's anywhere: where
# terms of that size cancel, moving the input does not show it.
_INSIDE = 64.0
# So many of the numbers that differ are looked at by the other witnesses.
_LOOKED_AT = 8
# Where differences say nothing, the oracle does, unless it is nearer than this to both.
_APART = 0.05
_CONSTANT = 1e-3  # how far factors may be apart that are taken to be the same


@dataclass(frozen=True, slots=True)
class Compared:
    """An input where the forward ends in finite numbers: what both gradients have for each element."""

    runs: Runs
    elements: Elements
    theirs: Array
    ours: Array
    noise: Array
    suspects: tuple[int, ...]
    adjoints: Mapping[str, Tree]

    def factor(self) -> float | None:
        """What all of the backward's numbers are, in units of the derivative; None where that is no one number."""
        sure = np.isfinite(self.ours) & (np.abs(self.ours) > 1e3 * self.noise) & (self.ours != 0)
        rest = ~sure & np.isfinite(self.ours)
        if not sure.any() or not np.isfinite(self.theirs[sure]).all():
            return None
        ratios = self.theirs[sure] / self.ours[sure]
        found = float(np.median(ratios))
        beside = np.abs(self.theirs - found * self.ours)
        bound = _NOISE * self.noise * max(abs(found), 1.0) + 1e-6 * np.abs(self.ours[sure]).max()
        same = np.ptp(ratios) <= _CONSTANT * abs(found) and not (beside > bound)[rest].any()
        return found if same and found != 0 else None

    def arrays(self) -> int:
        """How many arguments have a gradient that is not all zero."""
        names = {self.elements.part_of(int(e)).name for e in np.flatnonzero(self.ours)}
        return len(names)


@dataclass(frozen=True, slots=True)
class Wrong:
    """An input at which the backward is wrong."""

    input: Input
    failure: str = ""  # it has not ended
    elements: tuple[Examined, ...] = ()
    cotangents: tuple[tuple[str, Array], ...] = ()


class Referee:
    """Compares at inputs, and remembers what is only another convention."""

    def __init__(
        self,
        forward: Gradient,
        backward: Gradient,
        roles: Mapping[str, Role],
        seed: int,
        scale: float,
        variables: Mapping[str, Any],
    ) -> None:
        """`variables` are those at namespace scope that hold pointers, with what they hold."""
        self.forward, self.backward, self.roles, self.seed, self.scale = forward, backward, roles, seed, scale
        self.variables = variables
        self._numbers = [scalar_of(strip_reference(p.type)) for p in backward.derivative.parameters]
        self._largest: dict[str, float] = {}  # of the gradients by each argument, at all inputs so far
        of = forward.derivative
        self.oracle = Oracle(of.program, of.options, of.source)
        self.conventions: dict[str, Examined] = {}
        self.undecided = self.compared = 0

    def hand(self, at: Input, *, begins: float = 0.0) -> HandWritten:
        return HandWritten(
            self.forward, self.backward, self.roles, at.backward, at.own, scale=self.scale, begins=begins
        )

    def runs(self, at: Input, **how: float) -> Runs:
        launch = at.forward
        point = (launch.grid, launch.block, at.arguments, self.seed, launch.shared_mem)
        return Runs(self.hand(at, **how), *point, self.variables)

    @property
    def tolerance(self) -> float:
        """What numbers may be off, relative."""
        if self.oracle.half_precision or any(map(is_half, self._numbers)):
            return _HALF
        return _FLOAT if self.oracle.single_precision or FLOAT in self._numbers else _DOUBLE

    @property
    def precision(self) -> float:
        return 2.0**-10 if self.tolerance == _HALF else 2.0**-23 if self.tolerance == _FLOAT else 2.0**-52

    # ---- one input ---------------------------------------------------------------------------------------------------

    def compare(self, at: Input) -> Compared | str | None:
        """What both give; what has gone wrong with the backward; None where the forward has nothing to compare."""
        runs = self.runs(at)
        try:
            if not ends_finite(runs):
                return None
            expected = runs.of(self.forward).run_gradient("forward")[0]
        except CladpyError:
            return None
        try:
            adjoints = runs.run_gradient("forward")[0]
        except BackendError as error:
            return str(error).removeprefix("the gradient fails: ")
        elements = Elements(runs)
        theirs, ours = elements.vector(adjoints), elements.vector(expected)
        self.compared += 1
        off = np.abs(theirs - ours)
        known = np.isfinite(ours)
        noise = np.zeros(ours.size)
        off[~np.isfinite(theirs)] = np.inf
        least = self._least(elements, ours)
        suspects = known & (off > self.tolerance * np.abs(ours) + least)
        if suspects.any():
            noise = self._noise(at, elements, theirs, ours)
            suspects &= off > self.tolerance * np.abs(ours) + _NOISE * noise + least
        return Compared(runs, elements, theirs, ours, noise, tuple(map(int, np.flatnonzero(suspects))), adjoints)

    def _least(self, elements: Elements, ours: Array) -> Array:
        """What may be off whatever the number is."""
        found = np.zeros(ours.size)
        for part in elements.parts:
            own = slice(part.start, part.start + int(np.prod(part.shape)))
            finite = np.abs(ours[own][np.isfinite(ours[own])])
            self._largest[part.name] = max(self._largest.get(part.name, 0.0), float(finite.max(initial=0.0)))
            found[own] = _INSIDE * self.precision * self._largest[part.name]
        return found

    def _noise(self, at: Input, elements: Elements, theirs: Array, ours: Array) -> Array:
        """What rounding of the input does to either."""
        found = np.zeros(ours.size)
        rng = np.random.default_rng(self.seed)
        for _ in range(_DRAWS):
            runs = self.runs(at)
            for _, part in (
                pair for tree, p in zip(runs.args, runs.parameters, strict=True) for pair in contents(tree, p.name)
            ):
                if part.dtype.kind == "f":
                    with np.errstate(all="ignore"):
                        part *= (1 + rng.uniform(-1, 1, part.shape) * np.finfo(part.dtype).eps).astype(part.dtype)
            try:
                for gradient, before in ((runs.gradient, theirs), (self.forward, ours)):
                    after = elements.vector(runs.of(gradient).run_gradient("forward")[0])
                    found = np.fmax(found, np.abs(after - before))
            except CladpyError:
                continue
        return np.nan_to_num(found, nan=0.0, posinf=0.0)

    def wrong(self, at: Input) -> Wrong | None:
        """What is wrong at an input, by the other witnesses as well; None where nothing is."""
        found = self.compare(at)
        if found is None or isinstance(found, str):
            return None if found is None else Wrong(at, found)
        if not found.suspects:
            return None
        one = Check(found.runs, self.oracle, VALUE_TOLERANCE, self.tolerance)
        judges = one.by_element(dict(found.adjoints))
        wrong = []
        chosen = np.unique(np.linspace(0, len(found.suspects) - 1, min(_LOOKED_AT, len(found.suspects))).astype(int))
        for element in (found.suspects[k] for k in chosen):
            judged = judges.of(element)
            label = found.elements.label(element)
            between = None if judged.slope is None else (judged.slope.low, judged.slope.high)
            verdict = judged.verdict
            if verdict == "undecided":
                verdict, told = self._by_oracle(one, found, element)
                between = (told, told) if verdict == "wrong" else between
            example = Examined(label, verdict, float(found.theirs[element]), between, float(found.ours[element]))
            if verdict == "wrong":
                wrong.append(example)
            elif verdict in ("kink", "jump"):
                self.conventions.setdefault(label, example)
            elif verdict == "undecided":
                self.undecided += 1
        if not wrong:
            return None
        cotangents = [
            (name, part)
            for name, tree in found.runs.cotangents.items()
            if name not in found.runs.fresh
            for (part,) in found.runs.parts(name, tree)
        ]
        return Wrong(at, "", tuple(wrong), tuple(cotangents))

    def _by_oracle(self, one: Check, found: Compared, element: int) -> tuple[str, float]:
        """Where differences say nothing: the oracle, if it says what our gradient says."""
        direction = np.zeros(found.elements.size)
        direction[element] = 1.0
        with np.errstate(all="ignore"):
            told = float(one.against.weighted(one.against.tangent(found.elements.trees(direction)))[0])
        ours, theirs = float(found.ours[element]), float(found.theirs[element])
        size = max(abs(told), abs(ours), float(np.finfo(np.float32).tiny))
        agree = abs(told - ours) <= self.tolerance * size + _NOISE * found.noise[element]
        apart = not abs(theirs - told) <= _APART * size + _NOISE * found.noise[element]
        return ("wrong" if agree and apart else "undecided"), told

    # ---- what is looked at once --------------------------------------------------------------------------------------

    def check(self, at: Input, found: Compared) -> CheckReport:
        """The gradient check with all its witnesses, within what rounding may do."""
        size = float(np.abs(found.ours[np.isfinite(found.ours)]).sum())
        noise = self._noise(at, found.elements, found.theirs, found.ours)
        tolerance = self.tolerance + (_NOISE * float(noise.sum()) / size if size else 0.0)
        launch = at.forward
        return check(
            self.hand(at),
            launch.grid,
            launch.block,
            at.arguments,
            seed=self.seed,
            shared_mem=launch.shared_mem,
            orders=ORDERS,
            tolerance=tolerance,
            oracle=self.oracle,
            variables=self.variables,
        )

    def depends_on_order(self, at: Input, found: Compared) -> tuple[str, bool]:
        """What differs in another order of threads by more than rounding, and whether anything does at all."""
        runs = self.runs(at)
        orders = {order: found.elements.vector(runs.run_gradient(order)[0]) for order in ORDERS}
        first = orders["forward"]
        noise = self._noise(at, found.elements, found.theirs, found.ours)
        any_bits = False
        for order, numbers in orders.items():
            any_bits |= not np.array_equal(numbers, first, equal_nan=True)
            off = np.abs(numbers - first) > self.tolerance * np.abs(first).max(initial=0.0) + _NOISE * noise
            if off.any():
                label = found.elements.label(int(np.flatnonzero(off)[0]))
                return f"the gradient by {label} is another number where threads run in {order} order", True
        return "", any_bits

    def races(self, at: Input, found: Compared) -> tuple[str, str]:
        """Where threads of the backward's meet; and why that could not be looked for."""
        of = self.backward.derivative
        if of.kind is not FunctionKind.KERNEL:
            return "", ""
        assert at.backward.grid is not None and at.backward.block is not None
        runs, hand = found.runs, self.hand(at)
        values = [*runs.call_values(runs.copies()), *(copy_of(runs.cotangents[p.name]) for p in runs.named)]
        with np.errstate(all="ignore"):
            given = hand.given(*hand.left(values, float(runs.cotangent[0]), lambda own: self._forward(at, own)))
        try:
            oracle = Oracle(of.program, of.options, of.source)
            return oracle.race(at.backward.grid, at.backward.block, list(given.values()), at.backward.shared_mem), ""
        except DifferentiationError as error:
            return "", str(error).partition("\n")[0]

    def _forward(self, at: Input, own: Sequence[object]) -> object:
        if self.forward.derivative.kind is not FunctionKind.KERNEL:
            return self.forward.primal.execute(*own)
        launch = at.forward
        self.forward.primal.execute_kernel(launch.grid, launch.block, *own, shared_mem=launch.shared_mem)
        return None

    def writes(self, at: Input, found: Compared) -> list[str]:
        """How the backward leaves its gradients: for each, whether it adds to what was there."""
        runs = self.runs(at, begins=1.0)
        numbers = found.elements.vector(runs.run_gradient("forward")[0])
        moved = (numbers - found.theirs) * self.scale
        told = []
        for name, role in self.roles.items():
            if role.kind != GRADIENT or name == RETURN:
                continue
            own = [p for p in found.elements.parts if p.name == role.of]
            places = np.concatenate([np.arange(p.start, p.start + int(np.prod(p.shape))) for p in own])
            added = np.abs(moved[places] - 1.0) < 0.25
            left = np.abs(moved[places]) < 0.25
            if added.all():
                told.append(f"it adds to '{name}'")
            elif left.all():
                told.append(f"it overwrites '{name}'")
            else:
                told.append(f"it overwrites a part of '{name}', whose other elements have to be zero before")
        return told


def ends_finite(runs: Runs) -> bool:
    """Whether the original leaves finite numbers where it was given such, and no NaN anywhere."""
    arrays, variables = runs.copies(), copy_of(runs.variables)
    with np.errstate(all="ignore"):
        result = runs.run_primal(arrays, variables)
    if isinstance(result, float) and not np.isfinite(result):
        return False
    for p, first, last in zip(runs.parameters, runs.args, arrays, strict=True):
        for (_, old), (_, new) in zip(contents(first, p.name), contents(last, p.name), strict=True):
            if old.dtype.kind == "f" and (np.isnan(new) | (np.isinf(new) & np.isfinite(old))).any():
                return False
    return True
