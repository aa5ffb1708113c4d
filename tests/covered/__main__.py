"""See `tests.covered`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import coverage
import pytest

PACKAGE = Path(__file__).parents[2] / "cladpy"
STAGES = ("ir", "normalize", "analysis", "adjoint", "derivatives")
TESTS = ("tests/ir", "tests/normalize", "tests/adjoint", "tests/reject", "tests/explain", "tests/test_marks.py")
# What no program reaches: impossible cases that the type checker wants named, and what only type checkers read.
EXCLUDED = ("assert_never", "raise AssertionError", "if TYPE_CHECKING", "@abstractmethod", r"^\s*\.\.\.$")


def differentiate_all(every: int) -> None:
    """Each so-many-th program of the tables for each target, in ways that the options allow."""
    from cladpy.diagnostics import CladpyError
    from cladpy.options import Options
    from cladpy.pipeline import differentiate, dump
    from cladpy.source import Source
    from tests.robustness.programs import programs

    ways: tuple[dict[str, Any], ...] = (
        {},
        {"may_alias": True},
        {"accumulate": "deterministic"},
        {"split": True},
        {"accumulate": "atomic"},
    )
    for number, program in enumerate(programs()[::every]):
        source = Source.load(program.path)
        given = ({}, *(ways[(number + k) % len(ways)] for k in range(3)))
        for target, options in zip(("cuda", "host", "hip", "cuda"), given, strict=True):
            try:
                differentiate(source, program.function, program.args, Options.make(**options), target)
            except CladpyError:
                continue
        for stage in ("ir", "adjoint-ir"):
            try:
                dump(source, program.function, program.args, Options.make(), stage)
            except CladpyError:
                continue


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.covered")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--at-least", type=float, default=0, help="percent; less is a failure")
    parser.add_argument("--missing", action="store_true", help="list what was not taken")
    options = parser.parse_args()
    measured = coverage.Coverage(
        branch=True, include=[str(PACKAGE / stage / "*") for stage in STAGES], concurrency=["thread"], data_file=None
    )
    for pattern in EXCLUDED:
        measured.exclude(pattern)
    measured.start()
    try:
        differentiate_all(options.every)
        status = pytest.main(["-q", "-p", "no:cacheprovider", "-p", "no:xdist", *TESTS])
    finally:
        measured.stop()
    percent = measured.report(show_missing=options.missing, skip_covered=True)
    if percent < options.at_least:
        print(f"{percent:.2f} % is less than {options.at_least:.2f} %")
    return 1 if status != 0 or percent < options.at_least else 0


if __name__ == "__main__":
    sys.exit(main())
