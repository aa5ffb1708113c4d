"""What every gradient test uses: the gradient, on the host backend unless said otherwise, compared with the oracle and
with differences."""

from __future__ import annotations

import contextlib
import os
from typing import Any
from unittest import mock

import cladpy
from cladpy.check.gradient_check import check
from cladpy.check.oracle import Oracle
from cladpy.check.report import CheckReport
from tests import precompiled
from tests.generator.program import GeneratedProgram
from tests.verified import verified

# Values are compared bit for bit with the original's: the compiler must not fold calls of math functions in one of the
# two, which GCC does without optimisation as well where all arguments are constants. Lighter optimisation halves the
# time of the tests.
_FLAGS = f"{precompiled.EFFORT} {precompiled.flags()}"
os.environ.setdefault("CLADPY_HOST_FLAGS", _FLAGS)
Oracle.flags = tuple(precompiled.flags(precompiled.ORACLE).split())


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
    **how: Any,
) -> CheckReport:
    """The report of a check; `options` go to `cladpy.gradient`, `how` to the check."""
    with verified(), _flags_for(program=grid is None):
        gradient = cladpy.gradient(source, function, args, backend=backend, **(options or {}))
        how = {"split": backend == "host", **how}
        return check(gradient, grid, block, values, exact_values=backend == "host", **how)


def _flags_for(*, program: bool) -> contextlib.AbstractContextManager[object]:
    """Other headers are compiled before for host functions."""
    if not program or os.environ.get("CLADPY_HOST_FLAGS") != _FLAGS:
        return contextlib.nullcontext()
    flags = f"{precompiled.EFFORT} {precompiled.flags(precompiled.PROGRAM)}"
    return mock.patch.dict(os.environ, {"CLADPY_HOST_FLAGS": flags})


def assert_gradient(*args: Any, **how: Any) -> None:
    report = check_gradient(*args, **how)
    assert report.ok, report.text()


def check_random(program: GeneratedProgram, seed: int, *, backend: str = "host", **how: Any) -> CheckReport:
    """The report of a random program, without differences: a step may cross a branch."""
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
        differences=False,
        **how,
    )
