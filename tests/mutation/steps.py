"""Gradients with one step left out or done wrong: an atomic made plain, a kept value dropped, a barrier removed. Each
is put into the generated code of a program of the tables, and the test of that program must fail."""

from __future__ import annotations

import math
import traceback
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any
from unittest import mock

from cladpy import pipeline
from cladpy.adjoint.gradient import Gradient
from cladpy.check.gradient_check import check
from cladpy.check.oracle import Oracle
from cladpy.derivative import Derivative
from cladpy.diagnostics import CladpyError
from cladpy.options import Options
from cladpy.pipeline import differentiate
from cladpy.runtime.gradient import Gradient as Callable
from cladpy.source import Source
from tests.fuzz.trial import INTERNAL, MISMATCH, RACE, REFUSED, RIGHT, Outcome
from tests.kernels.case import Case
from tests.kernels.cases import CASES
from tests.mutation.changes import ATOMIC, BARRIER, EXCHANGE, all_changes, changed, emptied
from tests.programs.cases import CASES as PROGRAMS
from tests.races.watched import Watched, launches

NEEDS_WATCH = (ATOMIC, EXCHANGE, BARRIER)  # on the host one thread runs at a time
SAME = "same"  # the text is what it was

ALONE = "alone"  # no other thread comes to the element in any launch that is right for the program
NOT_RUN = "not run"  # it is in a kernel in whose place the launch function runs others, for all launches of the row
DEAD = "dead"  # what was to be written there is read by nobody: NaN in its place makes no difference


@dataclass(frozen=True)
class Step:
    """The `number`-th change that can be made in the gradient of a row of the tables."""

    case: str
    number: int
    error: str
    where: str  # the function of the generated code

    def __str__(self) -> str:
        return f"{self.case}: {self.error} in {self.where} (change {self.number})"

    def run(self) -> Outcome:
        """Whether the tests of the row notice: RIGHT where they do not."""
        try:
            return _judged(self)
        except CladpyError as error:
            return Outcome(REFUSED, f"{type(error).__name__}: {error}")
        except Exception:
            return Outcome(INTERNAL, traceback.format_exc())


@cache
def rows() -> dict[str, Case]:
    """By name: kernels whose threads may run in any block, and host programs."""
    largest: dict[tuple[str, str, str], Case] = {}  # where several differ in their launch only: more threads meet there
    for case in CASES:
        key = (case.file, case.function, case.args)
        if case.grid is not None and (key not in largest or _threads(case) > _threads(largest[key])):
            largest[key] = case
    cases: list[Case] = list(largest.values())
    cases += [case for case in PROGRAMS if not case.refused]
    return {f"{'program ' if case.grid is None else ''}{case.id}": case for case in cases}


def _beside(case: Case) -> list[Case]:
    """The other rows of the same gradient."""
    tables: list[Case] = [*CASES, *PROGRAMS]
    same = (c for c in tables if (c.file, c.function, c.args) == (case.file, case.function, case.args))
    return [c for c in same if type(c) is type(case) and c.id != case.id and not getattr(c, "refused", "")]


def _threads(case: Case) -> int:
    """How many a launch has; of more than some hundred nothing more is learnt."""
    sizes = (case.grid or 1, case.block or 1)
    return min(256, math.prod(math.prod(size) if isinstance(size, tuple) else size for size in sizes))


# ---- the tests of a row ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Known:
    case: Case
    gradient: Gradient
    derivative: Derivative
    oracle: Oracle


@lru_cache(maxsize=1)
def known(name: str) -> Known:
    return known_of(rows()[name])


def known_of(case: Case) -> Known:
    derivative, gradient = derived(case)
    return Known(case, gradient, derivative, Oracle(derivative.program, derivative.options, derivative.source))


def derived(case: Case, given: Gradient | None = None, *, checked: bool = False) -> tuple[Derivative, Gradient]:
    """A row's derivative for the host, and the gradient that it is emitted from: one that is `given`, or its own."""
    held: list[Gradient] = []
    own = pipeline._gradient

    def gradient(*args: Any) -> Gradient:
        held.append(given or own(*args))
        return held[0]

    with mock.patch.object(pipeline, "_gradient", gradient):
        made = differentiate(
            Source.load(str(case.path)), case.function, case.args, Options.make(), "host", checked=checked
        )
    return made, held[0]


def steps_of(name: str) -> list[Step]:
    """All changes that can be made in a row's gradient."""
    return [Step(name, k, error, where) for k, (error, where) in enumerate(all_changes(known(name).gradient))]


def _judged(step: Step) -> Outcome:
    row = known(step.case)
    gradient = changed(row.gradient, step.number)
    assert gradient is not None
    derivative, _ = derived(row.case, gradient)
    if derivative.code == row.derivative.code:
        return Outcome(SAME)
    found = compared(row, derivative, row.case)
    for case in _beside(row.case):
        if found.kind == RIGHT:
            found = compared(row, derivative, case)
    if found.kind == RIGHT and step.error in NEEDS_WATCH:
        found = watched(row.case, gradient)
        # a program makes its own launches, and not in all that is right for it may threads meet
        if found.kind == RIGHT and step.error != BARRIER and row.case.grid is not None:
            return Outcome(ALONE)
    if found.kind == RIGHT:
        spoilt = changed(row.gradient, step.number, poisoned=True)
        if spoilt is not None and compared(row, derived(row.case, spoilt)[0], row.case).kind == RIGHT:
            return Outcome(DEAD)
        if _does_nothing(row, step.where):
            return Outcome(NOT_RUN)
    return found


def _does_nothing(row: Known, where: str) -> bool:
    """Whether a function of the gradient makes no difference to any row of it."""
    try:
        without, _ = derived(row.case, emptied(row.gradient, where))
        return all(compared(row, without, case).kind == RIGHT for case in (row.case, *_beside(row.case)))
    except CladpyError:
        return False  # it gives what others need


def compared(row: Known, derivative: Derivative, case: Case) -> Outcome:
    report = check(
        Callable(derivative, "host"),
        case.grid,
        case.block,
        case.arguments(),
        exact_values=True,
        differences=False,
        oracle=row.oracle,
        variables=case.contents(),
        shared_mem=case.shared_mem,
    )
    return Outcome(RIGHT) if report.ok else Outcome(MISMATCH, report.text())


def watched(case: Case, gradient: Gradient) -> Outcome:
    """Whether two threads meet at an adjoint in a launch, of which a program makes its own."""
    kernel = Watched(derived(case, gradient, checked=True)[0])
    for grid, block in launches(case):
        found = kernel.report(grid, block, case.arguments(), case.contents(), case.shared_mem)
        if found:
            return Outcome(RACE, found)
    return Outcome(RIGHT)
