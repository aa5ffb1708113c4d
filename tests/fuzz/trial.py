"""One program through everything that can go wrong with it, and what did."""

from __future__ import annotations

import re
import tempfile
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from cladpy.check.report import CheckReport
from cladpy.diagnostics import BackendError, CladpyError, LaunchError, ToolchainError
from tests.emitted.units import compiled, derivative_of_options, unit_of
from tests.generator import GeneratedProgram
from tests.oracle import check_random
from tests.races.watched import Watched, watched_derivative
from tests.sides import check_sides

RIGHT = "right"
REFUSED = "refused"  # with a diagnostic: not wrong, but the generator makes what should be understood
INVALID = "invalid"  # the program itself has a race, or ends in NaN: the generator's fault
MISMATCH = "mismatch"
COMPILE = "compile"
RACE = "race"
CRASH = "crash"
TIMEOUT = "timeout"
INTERNAL = "internal"
FAILURES = (MISMATCH, COMPILE, RACE, CRASH, TIMEOUT, INTERNAL, INVALID)

# A comparison that passes with a larger error than this says little: the program is chaotic at that point.
TELLING = 1e-2

# What `forward` says of memory that it is not given as arrays; see docs/split-form.md.
_NOT_KEPT = "forward cannot keep"


@dataclass(frozen=True)
class Outcome:
    kind: str
    text: str = ""
    sign: str = ""  # what a reduced program has to have in common with the first, beside the kind
    weak: int = 0  # comparisons that could not have told a wrong gradient
    compared: int = 0

    @property
    def same(self) -> tuple[str, str]:
        return self.kind, self.sign


@dataclass(frozen=True)
class Trial:
    """What is done with a program beside the comparison with the oracle."""

    seed: int = 0
    races: bool = False
    warnings: bool = False

    def run(self, program: GeneratedProgram) -> Outcome:
        """Never raises, but for what ends the process."""
        steps: list[Callable[[GeneratedProgram], Outcome]] = [self._compare]
        if program.grid is not None:  # only nvcc reads launches
            steps += [self._watch] if self.races else []
            steps += [self._compile] if self.warnings else []
        outcome = Outcome(RIGHT)
        for step in steps:
            try:
                found = step(program)
            except CladpyError as error:
                return _of_error(error)
            except Exception as error:
                place = traceback.extract_tb(error.__traceback__)[-1]
                sign = f"{type(error).__name__} in {Path(place.filename).name}: {place.name}"
                return Outcome(INTERNAL, traceback.format_exc(), sign)
            if found.kind != RIGHT:
                return found
            outcome = found if found.compared else outcome
        return outcome

    def _compare(self, program: GeneratedProgram) -> Outcome:
        if program.kinks:
            return _of_report(check_sides(program, self.seed))
        try:
            return _of_report(check_random(program, self.seed))
        except LaunchError as error:
            if _NOT_KEPT not in str(error):
                raise
        return _of_report(check_random(program, self.seed, split=False))

    def _watch(self, program: GeneratedProgram) -> Outcome:
        watched = Watched(watched_derivative(program.text, program.function, program.args, **program.options))
        found = watched.report(program.grid, program.block, program.values, shared_mem=program.shared_mem)
        return Outcome(RACE, found) if found else Outcome(RIGHT)

    def _compile(self, program: GeneratedProgram) -> Outcome:
        with tempfile.TemporaryDirectory() as folder:
            derivative = derivative_of_options(
                program.text, program.function, "host", args=program.args, **program.options
            )
            # a random program compares things with themselves, unsigned ones with zero, and its gradient does the same
            result = compiled(unit_of("program", program.text, [derivative], Path(folder)), "host", "c++17", *_LENIENT)
        return Outcome(RIGHT) if result else Outcome(COMPILE, result.output, _kind_of_message(result.output))


@dataclass(frozen=True)
class Job:
    """A program that a worker tries."""

    trial: Trial
    program: GeneratedProgram

    def run(self) -> Outcome:
        return self.trial.run(self.program)


_LENIENT = ("-Wno-tautological-compare", "-Wno-type-limits")


def _of_report(report: CheckReport) -> Outcome:
    weak = sum(f.bound > TELLING for f in report.findings)
    if report.ok:
        return Outcome(RIGHT, report.text(), weak=weak, compared=len(report.findings))
    wrong = [f for f in report.findings if not f.ok]
    # the original must be something to compare with: no race, finite, and the same as the oracle computes
    if report.race or report.spoilt or any("as the original's" in f.what for f in wrong):
        return Outcome(INVALID, report.text())
    return Outcome(MISMATCH, report.text(), _sign_of(wrong[0].what))


def _sign_of(what: str) -> str:
    """What went wrong, less the names and the order."""
    for stem in ("direction", "argument", "variable", "memory of the device", "the forward half", "the reverse half"):
        if what.startswith(stem):
            return stem
    return what


def _of_error(error: CladpyError) -> Outcome:
    text = f"{type(error).__name__}: {error}"
    if isinstance(error, ToolchainError):
        return Outcome(COMPILE, text, _kind_of_message(text))
    code = re.search(r"\bCP\d{4}\b", text)
    if code:
        return Outcome(REFUSED, text, code[0])
    if isinstance(error, BackendError):
        return Outcome(CRASH, text, re.sub(r"[\d(].*", "", str(error)))
    return Outcome(INTERNAL, text, type(error).__name__)


def _kind_of_message(output: str) -> str:
    """A compiler's first complaint, less names and numbers."""
    found = re.search(r"(?:error|warning): (.*)", output)
    return re.sub(r"'[^']*'|\d+", "_", found[1]) if found else ""
