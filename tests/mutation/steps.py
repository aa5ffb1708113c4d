"""Gradients with one step left out or done wrong: an atomic made plain, a kept value dropped, a barrier removed. Each
is put into the generated code of a program of the tables, and the test of that program must fail."""

from __future__ import annotations

import math
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Any
from unittest import mock

from cladpy import pipeline
from cladpy.adjoint.cleanup import all_statements, with_blocks
from cladpy.adjoint.expressions import zero
from cladpy.adjoint.gradient import Gradient
from cladpy.check.gradient_check import check
from cladpy.check.oracle import Oracle
from cladpy.derivative import Derivative
from cladpy.diagnostics import CladpyError
from cladpy.ir import code, core
from cladpy.ir.types import Type, is_floating
from cladpy.options import Options
from cladpy.pipeline import differentiate
from cladpy.runtime.gradient import Gradient as Callable
from cladpy.source import Source
from tests.fuzz.trial import INTERNAL, MISMATCH, RACE, REFUSED, RIGHT, Outcome
from tests.kernels.case import Case
from tests.kernels.cases import CASES
from tests.programs.cases import CASES as PROGRAMS
from tests.races.watched import Watched, launches

ATOMIC = "an atomic made plain"
EXCHANGE = "an exchange made plain"
BARRIER = "a barrier removed"
NEEDS_WATCH = (ATOMIC, EXCHANGE, BARRIER)  # on the host one thread runs at a time
SAME = "same"  # the text is what it was

ALONE = "alone"  # no other thread comes to the element in any launch that is right for the program
DEAD = "dead"  # what was to be written there is read by nobody: NaN in its place makes no difference


@dataclass(frozen=True)
class Change:
    """What becomes of a statement; and, where it writes a number, the same with NaN for the number."""

    error: str
    made: code.Block
    poisoned: code.Block | None = None


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


def _threads(case: Case) -> int:
    """How many a launch has; of more than some hundred nothing more is learnt."""
    sizes = (case.grid or 1, case.block or 1)
    return min(256, math.prod(math.prod(size) if isinstance(size, tuple) else size for size in sizes))


# ---- changes ---------------------------------------------------------------------------------------------------------


def changes(statement: code.Statement) -> Iterator[Change]:
    """What may go wrong with a statement."""
    match statement:
        case code.AddElement(expr=expr, update=update, adjoint=True):
            if update in (code.Update.ATOMIC, code.Update.REDUCED, code.Update.BLOCK):
                yield Change(ATOMIC, (replace(statement, update=code.Update.PLAIN),))
            yield Change("an addition left out", (), _poisoned(statement, statement.root.element))
        case code.Add(variable, _):
            yield Change("an addition left out", (), _poisoned(statement, variable.type))
        case code.AddParameter(type=type):
            yield Change("an addition left out", (), _poisoned(statement, type))
        case code.Take(variable, root, index, update, zeroed):
            if zeroed:
                kept = replace(statement, zero=False)
                number = _not_a_number(variable.type)
                spoilt = None if number is None else code.AddElement(root, index, number, code.Update.PLAIN)
                yield Change("a zeroing left out", (kept,), spoilt and (kept, spoilt))
                if update is not code.Update.PLAIN:
                    yield Change(EXCHANGE, (replace(statement, update=code.Update.PLAIN),))
        case code.WriteElement(root):
            yield Change("a store left out", (), _poisoned(statement, root.element))
        case code.Assign(variable, expr):
            zeroes = isinstance(expr, core.Const) and expr.value == 0
            error = "a zeroing left out" if zeroes else "an assignment left out"
            yield Change(error, (), _poisoned(statement, variable.type))
        case code.Branch(_, then, other) if then and other:
            yield Change("a merge swapped", (replace(statement, then=other, other=then),))
        case code.Push(_, values) | code.Keep(_, _, values):
            for k, (slot, _) in enumerate(values):
                lost, spoilt_slot = (slot, zero(slot.type)), (slot, _not_a_number(slot.type))
                yield Change(
                    "a kept value dropped",
                    (replace(statement, values=(*values[:k], lost, *values[k + 1 :])),),
                    None
                    if spoilt_slot[1] is None
                    else (replace(statement, values=(*values[:k], spoilt_slot, *values[k + 1 :])),),  # type: ignore[arg-type]
                )
        case code.Synchronize(variable=None):
            yield Change(BARRIER, ())
        case code.Undo():
            yield Change("an undo left out", ())
        case code.CallPullback(undone=None):
            yield Change("a pullback left out", ())
        case code.DeclareArray(zeroed=True):
            yield Change("a zeroing left out", (replace(statement, zeroed=False),))
        case code.CountDown(count=count):
            one = core.Binary(core.BinaryOp.SUB, count, core.Const(1, count.type), count.type)
            yield Change("the last iteration not reversed", (replace(statement, count=one),))
        case code.Act(verb=code.Verb.RESTORE | code.Verb.PULLBACK | code.Verb.REVERSE):
            yield Change(f"'{statement.verb.value}' left out", ())
        case _:
            pass


def _not_a_number(type: Type) -> core.Expr | None:
    return core.Binary(core.BinaryOp.DIV, zero(type), zero(type), type) if is_floating(type) else None


def _poisoned(
    statement: code.AddElement | code.Add | code.AddParameter | code.WriteElement | code.Assign, type: Type
) -> code.Block | None:
    number = _not_a_number(type)
    return None if number is None else (replace(statement, expr=number),)


def all_changes(gradient: Gradient) -> list[tuple[str, str]]:
    """Each change that can be made, and the function in which."""
    found = []
    for function in _every_function(gradient):
        found += [(error, function.name) for error, _, _ in _in_block(function.body)]
    return found


def _every_function(gradient: Gradient) -> list[code.Function]:
    return [f for kernel in gradient.kernels for f in kernel.functions] + list(gradient.functions)


def _in_block(
    block: code.Block, holds: Mapping[core.Value, core.Expr] = MappingProxyType({})
) -> Iterator[tuple[str, code.Block, code.Block | None]]:
    """Each change, with the block that it makes, and the one that is poisoned in place of it. `holds` has the constants
    that variables are known to hold: to assign one again is no step."""
    now = dict(holds)
    for k, s in enumerate(block):
        before, after = block[:k], block[k + 1 :]
        if not (isinstance(s, code.Assign) and now.get(s.variable) == s.expr):
            for c in changes(s):
                poisoned = None if c.poisoned is None else (*before, *c.poisoned, *after)
                yield c.error, (*before, *c.made, *after), poisoned
        if not isinstance(s, code.Branch):
            _forget(now, s)
        for position in range(len(_inner(s))):
            for error, made, there in _in_block(_inner(s)[position], now):
                inside = None if there is None else (*before, _with_inner(s, position, there), *after)
                yield error, (*before, _with_inner(s, position, made), *after), inside
        _forget(now, s)
        if isinstance(s, code.Define) and isinstance(s.init, core.Const):
            now[s.variable] = s.init


def _forget(now: dict[core.Value, core.Expr], s: code.Statement) -> None:
    """What a statement may change."""
    for inner in all_statements((s,)):
        if isinstance(inner, code.Assign | code.Add):
            now.pop(inner.variable, None)


def _inner(s: code.Statement) -> list[code.Block]:
    found: list[code.Block] = []

    def keep(inner: code.Block) -> code.Block:
        found.append(inner)
        return inner

    with_blocks(s, keep)
    return found


def _with_inner(s: code.Statement, position: int, changed: code.Block) -> code.Statement:
    at = [-1]

    def chosen(inner: code.Block) -> code.Block:
        at[0] += 1
        return changed if at[0] == position else inner

    return with_blocks(s, chosen)


def changed(gradient: Gradient, number: int, *, poisoned: bool = False) -> Gradient | None:
    """The gradient with this change, or with poison in its place; None where there is none."""
    lacking = False

    def made(functions: tuple[code.Function, ...]) -> tuple[code.Function, ...]:
        nonlocal number, lacking
        out = []
        for f in functions:
            bodies = list(_in_block(f.body))
            if 0 <= number < len(bodies):
                body = bodies[number][2 if poisoned else 1]
                lacking = body is None
                f = f if body is None else replace(f, body=body)
            number -= len(bodies)
            out.append(f)
        return tuple(out)

    kernels = tuple(replace(k, functions=made(k.functions)) for k in gradient.kernels)
    result = replace(gradient, kernels=kernels, functions=made(gradient.functions))
    return None if lacking else result


# ---- the tests of a row ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Known:
    case: Case
    gradient: Gradient
    derivative: Derivative
    oracle: Oracle


@lru_cache(maxsize=1)
def _known(name: str) -> _Known:
    case = rows()[name]
    derivative, gradient = _derivative(case)
    return _Known(case, gradient, derivative, Oracle(derivative.program, derivative.options, derivative.source))


def _derivative(case: Case, given: Gradient | None = None, *, checked: bool = False) -> tuple[Derivative, Gradient]:
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
    return [Step(name, k, error, where) for k, (error, where) in enumerate(all_changes(_known(name).gradient))]


def _judged(step: Step) -> Outcome:
    known = _known(step.case)
    gradient = changed(known.gradient, step.number)
    assert gradient is not None
    derivative, _ = _derivative(known.case, gradient)
    if derivative.code == known.derivative.code:
        return Outcome(SAME)
    found = _compared(known, derivative)
    if found.kind == RIGHT and step.error in NEEDS_WATCH and known.case.grid is not None:
        found = _watched(known.case, gradient)
        if found.kind == RIGHT and step.error != BARRIER:
            return Outcome(ALONE)
    if found.kind == RIGHT:
        spoilt = changed(known.gradient, step.number, poisoned=True)
        if spoilt is not None and _compared(known, _derivative(known.case, spoilt)[0]).kind == RIGHT:
            return Outcome(DEAD)
    return found


def _compared(known: _Known, derivative: Derivative) -> Outcome:
    case = known.case
    report = check(
        Callable(derivative, "host"),
        case.grid,
        case.block,
        case.arguments(),
        exact_values=True,
        differences=False,
        oracle=known.oracle,
        variables=case.contents(),
        shared_mem=case.shared_mem,
    )
    return Outcome(RIGHT) if report.ok else Outcome(MISMATCH, report.text())


def _watched(case: Case, gradient: Gradient) -> Outcome:
    watched = Watched(_derivative(case, gradient, checked=True)[0])
    for grid, block in launches(case):
        found = watched.report(grid, block, case.arguments(), case.contents(), case.shared_mem)
        if found:
            return Outcome(RACE, found)
    return Outcome(RIGHT)
