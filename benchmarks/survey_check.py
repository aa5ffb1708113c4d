"""Checks a gradient of a function that nobody has told anything about: inputs are tried until the original does
something with them, in processes of their own, and at these the gradient is judged by `cladpy check`'s witnesses."""

from __future__ import annotations

import resource
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.survey_inputs import Choice, NoInputs, Values, choices
from benchmarks.survey_process import forked, give, given_by
from benchmarks.survey_shapes import Extent, Launch
from cladpy.check.arguments import contents, copy_of
from cladpy.check.gradient_check import ORDERS, check
from cladpy.check.oracle import Oracle
from cladpy.check.runs import Runs
from cladpy.diagnostics import CladpyError
from cladpy.ir.symbols import FunctionKind
from cladpy.ir.types import holds_pointers
from cladpy.making import made, whole
from cladpy.options import Options
from cladpy.runtime import Gradient
from cladpy.runtime.order import host_workers

RIGHT, WRONG, NO_INPUTS, IDLE = "right", "wrong", "no inputs", "nothing changes"
_SECONDS = 10  # of one trial, and for the first, which compiles
_FIRST = 60
_TRIALS = 60  # of all of them
_FIT = 3  # inputs at which a gradient is judged, where the first say nothing
_ELEMENTS = 12  # of each argument, against differences
# For g++: what goes beyond an array of known length ends, in place of meeting what happens to lie there.
WITHIN_ARRAYS = "-fsanitize=bounds -fsanitize-undefined-trap-on-error"
_BEYOND = "is unknown to the processor"  # of the instruction that such a run ends at


def verified(source: Sequence[Path], function: str, options: Options, grid: Extent, known: Sequence[Launch]) -> str:
    """`right`, `wrong` and what the check says, or why it cannot be seen. Runs the original: to be called in a process
    that may end and in a folder that may be filled."""
    try:
        gradient = whole(made(source[0] if len(source) == 1 else list(source), function, "", "host", options))
    except CladpyError as error:  # a CPU's threads may not run as the program takes those of a GPU to do
        return f"not on a CPU: {str(error).splitlines()[0]}"
    derivative = gradient.derivative
    kernel = derivative.kind is FunctionKind.KERNEL
    oracle: Oracle | None = None
    said: list[str] = []
    seconds, end = _FIRST, time.monotonic() + _TRIALS
    told: set[Choice] = set()  # by how many elements is all that choices in it differ from others
    for choice in choices(kernel, grid, known):
        if time.monotonic() > end:
            break
        if replace(choice, elements=0) in told:
            continue
        tried = _trial(gradient, choice, seconds)
        if tried.startswith("values:"):
            return f"{NO_INPUTS}: {tried.removeprefix('values:')}"
        seconds = _SECONDS
        if tried != "fit":
            said.append(tried)
            continue
        oracle = oracle or Oracle(derivative.program, derivative.options, derivative.source)
        verdict = _judged(gradient, choice, oracle)
        if verdict.startswith((RIGHT, WRONG)):
            return verdict
        said.append(verdict)
        told.add(replace(choice, elements=0))
        if len(told) == _FIT:
            break
    return max(said, key=lambda s: (s.startswith("unfit"), s == IDLE, -said.index(s)), default=NO_INPUTS)


def _trial(gradient: Gradient, choice: Choice, seconds: int) -> str:
    """What the original does with the values."""

    def work() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        give(_tried(gradient, choice))

    status, said = forked(work, 2 * seconds)
    return given_by(said) or ("time" if status == -1 else f"the original ends with status {status}")


def _tried(gradient: Gradient, choice: Choice) -> str:
    try:
        runs = _runs(gradient, choice)
    except (NoInputs, CladpyError) as error:
        return f"values:{str(error).splitlines()[0]}"
    try:
        with host_workers(False), np.errstate(all="ignore"):
            for before in (True, False):
                arrays, variables = runs.copies(), copy_of(runs.variables)
                result = runs.run_primal(arrays, variables, before=before)
    except CladpyError as error:
        said = str(error).splitlines()[0]
        return "unfit inputs: the original goes beyond an array" if _BEYOND in said else said
    changed = result is not None
    for old_tree, new_tree in [(runs.args, arrays), (list(runs.variables.values()), list(variables.values()))]:
        for old_part, new_part in zip(old_tree, new_tree, strict=True):
            for (_, old), (_, new) in zip(contents(old_part, ""), contents(new_part, ""), strict=True):
                if new.dtype.kind == "f" and not np.isfinite(new).all():
                    return "the original ends in infinite values or NaN"
                changed = changed or (new.dtype.kind == "f" and new.tobytes() != old.tobytes())
    return "fit" if changed else IDLE


def _values(gradient: Gradient, choice: Choice) -> tuple[list[Any], dict[str, Any]]:
    """Arguments, and values of variables that hold pointers; variables without a value are set."""
    derivative = gradient.derivative
    make = Values(choice)
    parameters = derivative.program.functions[derivative.program.entry].parameters
    both = zip(parameters, derivative.parameters, strict=True)
    arguments = [make.of(p.type, p.name) for p, own in both if own.counts is None]
    held: dict[str, Any] = {}
    for variable in derivative.globals:
        if holds_pointers(variable.type):
            held[variable.name] = make.of(variable.type, variable.name)
        elif not variable.const and not gradient.primal.value_of(f"::{variable.name}").tobytes().strip(b"\0"):
            gradient.primal.set_value(f"::{variable.name}", make.of(variable.type, variable.name))
    return arguments, held


def _runs(gradient: Gradient, choice: Choice) -> Runs:
    arguments, held = _values(gradient, choice)
    return Runs(gradient, choice.grid, choice.block, arguments, 0, choice.shared_mem, held)


def _judged(gradient: Gradient, choice: Choice, oracle: Oracle) -> str:
    """By the witnesses, at the values."""
    try:
        arguments, held = _values(gradient, choice)
        if race := _race(_runs(gradient, choice), oracle):
            return f"unfit inputs: {race}"
        report = check(
            gradient,
            choice.grid,
            choice.block,
            arguments,
            shared_mem=choice.shared_mem,
            orders=ORDERS,
            elements=_ELEMENTS,
            oracle=oracle,
            variables=held,
        )
    except CladpyError as error:
        line = str(error).splitlines()[0]
        return f"{WRONG} at {choice}: {error}" if line.startswith("the gradient") else f"unseen: {line}"
    if report.ok:
        return RIGHT
    if report.verdict != "the gradient is wrong":
        return f"unfit inputs: {report.verdict}"
    failed = [f for f in report.findings if not f.ok]
    if all(f.what.endswith("as the original's") for f in failed):  # of memory that nobody has written, for one
        return f"unfit inputs: undefined, {failed[0]}"
    return f"{WRONG} at {choice}: {report.text(verbose=True)}"


def _race(runs: Runs, oracle: Oracle) -> str:
    """What shows that threads of the original meet, or read shared
    memory that none has written; empty where nothing does."""
    if runs.kernel:
        found = oracle.watched(*runs.shape(), runs.call_values(runs.copies()), runs.shared_mem, runs.variables)
        if found.race or found.unwritten:
            return f"a race {found.race}" if found.race else f"undefined, {found.unwritten}"
    with host_workers(False):
        clocks = set(runs.left_otherwise(ORDERS[:1] * 2))  # another number each time
        return next((f"a race {name}" for name in runs.left_otherwise(ORDERS) if name not in clocks), "")
