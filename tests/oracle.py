"""What every gradient test uses: the gradient, on the host backend unless said otherwise, compared with the oracle and
with differences."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from typing import Any
from unittest import mock

import cladpy
from cladpy.check.gradient_check import check
from cladpy.check.oracle import Oracle
from cladpy.check.report import CheckReport
from cladpy.derivative import Derivative
from cladpy.ir.symbols import FunctionKind
from cladpy.runtime.gradient import Gradient
from tests import precompiled, together
from tests.generator.program import GeneratedProgram
from tests.verified import verified

# Values are compared bit for bit with the original's: the compiler must not fold calls of math functions in one of the
# two, which GCC does without optimisation as well where all arguments are constants. Lighter optimisation halves the
# time of the tests.
_FLAGS = f"{precompiled.EFFORT} {precompiled.flags()}"
os.environ.setdefault("CLADPY_HOST_FLAGS", _FLAGS)
Oracle.flags = tuple(precompiled.flags(precompiled.ORACLE).split())


# So many of each argument's elements are compared with differences: the command compares more.
ELEMENTS = 2


@dataclass(frozen=True)
class Judged:
    """A gradient and the oracle that it is compared with."""

    gradient: Gradient
    oracle: Oracle
    split: bool = True  # whether the split form is compared too


def judged(
    source: str, function: str, args: str, *, backend: str = "host", split: bool = True, **options: Any
) -> Judged:
    with verified():
        gradient = cladpy.gradient(source, function, args, backend=backend, **options)
    derivative = gradient.derivative
    return Judged(gradient, Oracle(derivative.program, derivative.options, derivative.source), split)


def judged_random(program: GeneratedProgram, *, backend: str = "host") -> Judged:
    return judged(program.text, program.function, program.args, backend=backend, **program.options)


def parts_of(made: Judged) -> list[together.Part]:
    """What these compile."""
    whole = made.gradient.derivative
    with verified(), _flags_for(whole):
        divided = made.gradient._halves.divided() if made.split else None
        gradients = [together.part_of_gradient(derivative) for derivative in (whole, divided) if derivative is not None]
        return [together.part_of_oracle(made.oracle), *(part for part in gradients if part is not None)]


def check_gradient(
    source: str,
    function: str,
    args: str,
    grid: int | tuple[int, ...] | None,
    block: int | tuple[int, ...] | None,
    values: list[Any],
    *,
    options: dict[str, Any] | None = None,
    backend: str = "host",
    made: Judged | None = None,
    **how: Any,
) -> CheckReport:
    """The report of a check; `options` go to `cladpy.gradient`, where that was not done before, `how` to the check."""
    made = made or judged(source, function, args, backend=backend, **(options or {}))
    with verified(), _flags_for(made.gradient.derivative):  # the split form is differentiated by the check
        how = {"split": backend == "host" and made.split, "elements": ELEMENTS, **how}
        return check(made.gradient, grid, block, values, exact_values=backend == "host", oracle=made.oracle, **how)


def _flags_for(derivative: Derivative) -> contextlib.AbstractContextManager[object]:
    """Other headers are compiled before for functions."""
    if derivative.kind is FunctionKind.KERNEL or os.environ.get("CLADPY_HOST_FLAGS") != _FLAGS:
        return contextlib.nullcontext()
    flags = f"{precompiled.EFFORT} {precompiled.flags(precompiled.PROGRAM)}"
    return mock.patch.dict(os.environ, {"CLADPY_HOST_FLAGS": flags})


def assert_gradient(*args: Any, **how: Any) -> None:
    report = check_gradient(*args, **how)
    assert report.ok, report.text()


def check_random(program: GeneratedProgram, seed: int, *, backend: str = "host", **how: Any) -> CheckReport:
    """The report of a random program."""
    return check_gradient(
        program.text,
        program.function,
        program.args,
        program.grid,
        program.block,
        program.values,
        options=program.options,
        backend=backend,
        seed=seed,
        shared_mem=program.shared_mem,
        **how,
    )
