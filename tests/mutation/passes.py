"""Passes that write gradients in another way where that is cheaper, with one of their steps left out, or one of the
questions that they ask first answered wrongly. The test of a row in which that matters must fail."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from unittest import mock

from cladpy.adjoint import kept_under, launch_counts, outside_sums
from cladpy.analysis import meetings, old_contents, put_back, races, stencils
from cladpy.check.gradient_check import check
from cladpy.diagnostics import CladpyError
from cladpy.ir import core
from cladpy.ir.code_walk import map_statement
from cladpy.ir.types import BOOL
from cladpy.ir.walk import map_children
from cladpy.passes import apart, doubled, early_loads, shared_gather, software_pipelining, sum_sinking, uniform_sums
from cladpy.runtime.gradient import Gradient
from cladpy.variants import columns, gather
from tests.emitted.test_workspaces import on_the_host
from tests.emitted.units import derivative_of
from tests.fuzz.trial import INTERNAL, MISMATCH, REFUSED, RIGHT, Outcome
from tests.kernels.case import Case
from tests.kernels.cases import CASES
from tests.mutation.steps import SAME, compared, derived, known_of, watched

Function = Callable[..., Any]


@dataclass(frozen=True)
class Wrong:
    """`name` of `owner`, a module or a class, is replaced by what `instead` makes of it. `slots` says that what is
    wrong is how many slots of a tape the host counts, which launches on the host's do without."""

    error: str
    owner: Any
    name: str
    instead: Callable[[Function], Function]
    case: str
    slots: bool = False

    def __str__(self) -> str:
        return f"{self.case}: {self.owner.__name__}.{self.name}: {self.error}"

    def run(self) -> Outcome:
        """Whether the test of the row notices: RIGHT where it does not. A name that is gone is an error."""
        getattr(self.owner, self.name)
        try:
            return self._slots() if self.slots else self._judged()
        except CladpyError as error:
            return Outcome(REFUSED, f"{type(error).__name__}: {error}")
        except Exception:
            return Outcome(INTERNAL, traceback.format_exc())

    def _made(self) -> Any:
        return mock.patch.object(self.owner, self.name, self.instead(getattr(self.owner, self.name)))

    def _judged(self) -> Outcome:
        row = known_of(_case(self.case))
        with self._made():
            derivative, gradient = derived(row.case)
        if derivative.code == row.derivative.code:
            return Outcome(SAME)
        found = compared(row, derivative, row.case)
        return watched(row.case, gradient) if found.kind == RIGHT and row.case.grid is not None else found

    def _slots(self) -> Outcome:
        case = _case(self.case)
        given = str(case.path), case.function, case.args, "cuda"
        with self._made():
            derivative = derivative_of(*given)
        if derivative.code == derivative_of(*given).code:
            return Outcome(SAME)
        how: dict[str, Any] = {"variables": case.contents(), "shared_mem": case.shared_mem}
        gradient = Gradient(on_the_host(derivative), "host")
        report = check(gradient, case.grid, case.block, case.arguments(), differences=False, **how)
        return Outcome(RIGHT) if report.ok else Outcome(MISMATCH, report.text())


def _case(name: str) -> Case:
    return next(case for case in CASES if case.id == name)


# ---- answers -------------------------------------------------------------------------------------------------------


def always(answer: Any) -> Callable[[Function], Function]:
    return lambda original: lambda *given, **named: answer


def only_doubled(original: Function) -> Function:
    """Of the uses of values those that add a value to itself."""

    def found(expr: core.Expr) -> list[core.Expr]:
        every = list(original(expr))
        twice = {id(e.left): e.left for e in every if isinstance(e, core.Binary) and doubled._doubled(e) is not None}
        return [e for e in every if not isinstance(e, core.Use)] + [u for u in twice.values() for _ in range(2)]

    return found


def in_all_warps(original: Function) -> Function:
    """Every warp is taken for a whole one."""

    def whole(expr: core.Expr) -> core.Expr:
        if isinstance(expr, core.Formula) and "warp_goes_round" in expr.text:
            return core.Const(True, BOOL)
        return map_children(expr, whole)

    return lambda *given: (made := original(*given)) and [map_statement(s, whole) for s in made]


def left_term(original: Function) -> Function:
    """Of a sum what stands left."""
    return lambda left, right: left


def first_branch(original: Function) -> Function:
    return lambda self, branch: self.region(branch.then)


def as_taken(original: Function) -> Function:
    """What holds where a branch is taken, for both."""
    return lambda op, operand, type: operand


def whatever_is_asked(original: Function) -> Function:
    return lambda index, load, again: original(index, load, ())


WRONG = (
    Wrong("any halves are left whole", doubled, "subexpressions", only_doubled, "pairs-forces-of_64"),
    Wrong("elements have no owners", put_back._Owners, "have", always(True), "put_back-one_value"),
    Wrong("a branch gives nothing", put_back, "_is_repeated", whatever_is_asked, "put_back-given_outside"),
    Wrong("all threads put back", old_contents, "thread_dependent", always({}), "put_back-one_value_for_all"),
    Wrong("any sum waits", sum_sinking._Sinking, "_may_wait", always(True), "sunk-overwritten_between"),
    Wrong("any loops run equally", sum_sinking._Sinking, "_run_equally", always(True), "sunk-of_other_lengths"),
    Wrong("as where a branch is taken", kept_under, "unary", as_taken, "kept_under-both_sides"),
    Wrong("one loop is counted", launch_counts, "_sum", left_term, "divided-in_nest", slots=True),
    Wrong("one branch is counted", launch_counts._Counts, "_branch", first_branch, "kept_under-nested", slots=True),
    Wrong("no other thread stores the same", races, "_one_to_one", always(True), "shared-stored_by_rows"),
    Wrong("elements are added to by one sum", uniform_sums, "_is_alone", always(True), "tables-rows_of_three"),
    Wrong("sums of columns meet nothing", columns, "_meets", always(False), "columns-in_place"),
    Wrong("cells have elements of their own", stencils, "_own_elements", always(True), "gathered-narrow"),
    Wrong(
        "any adjoint is loaded early", early_loads, "_is_own", always(True), "block_learning-batch_norm-more_threads"
    ),
    Wrong("any bodies are joined", gather, "_may_join", always(True), "gathered-line"),
    Wrong("accesses never meet", meetings.Meetings, "apart", always(True), "block_reductions-standardised-of_256"),
    Wrong("any is read before", apart, "_may_be_read_before", always(True), "classes_more-privates"),
    Wrong("anything is a sum", outside_sums, "_adds", always(True), "class_variables-read_objects"),
    Wrong("any is fetched", software_pipelining._Fetching, "_is_own", always(True), "batches-by_index-of_1_by_4"),
    Wrong("every warp is whole", shared_gather, "in_rounds", in_all_warps, "pairs-forces-of_48"),
)


@dataclass(frozen=True)
class Planted:
    """One of these, as what a worker is sent."""

    number: int

    def run(self) -> Outcome:
        return WRONG[self.number].run()
