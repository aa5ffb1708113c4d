"""See `tests.covered`."""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import coverage
import pytest

PACKAGE = Path(__file__).parents[2] / "cladpy"
STAGES = ("ir", "normalize", "analysis", "adjoint", "derivatives")
TESTS = ("tests/ir", "tests/normalize", "tests/adjoint", "tests/reject", "tests/explain", "tests/test_marks.py")
# What no program reaches: impossible cases that the type checker wants named, and what only type checkers read.
EXCLUDED = ("assert_never", "raise AssertionError", "if TYPE_CHECKING", "@abstractmethod", r"^\s*\.\.\.$")
TARGETS = ("cuda", "host", "hip")
WAYS: tuple[dict[str, Any], ...] = (
    {"may_alias": True},
    {"accumulate": "deterministic"},
    {"split": True},
    {"accumulate": "atomic"},
    {"checkpoint": "binomial:1M"},
)


def differentiate_all(first: int, every: int, random: int) -> None:
    """Each so-many-th program of the tables, and so many random kernels, as is and in another way."""
    from cladpy.diagnostics import CladpyError
    from cladpy.options import Options
    from cladpy.pipeline import differentiate
    from cladpy.source import Source
    from tests.generator import generate, generate_block, generate_program
    from tests.robustness.programs import programs

    given = [(n, Source.load(p.path), p.function, p.args) for n, p in list(enumerate(programs()))[first::every]]
    forms = (generate, generate_block, generate_program)
    for seed in range(first, random, every):
        made = forms[seed % len(forms)](seed)
        given.append((seed, Source.load(made.text), made.function, made.args))
    for number, source, function, args in given:
        for options in ({}, WAYS[number % len(WAYS)]):
            try:
                differentiate(source, function, args, Options.make(**options), TARGETS[number % len(TARGETS)])
            except CladpyError:
                continue


@dataclass
class Count:
    lines: int = 0
    lines_taken: int = 0
    branches: int = 0
    branches_taken: int = 0

    def __add__(self, other: Count) -> Count:
        return Count(
            self.lines + other.lines,
            self.lines_taken + other.lines_taken,
            self.branches + other.branches,
            self.branches_taken + other.branches_taken,
        )

    def __str__(self) -> str:
        return (
            f"lines {_percent(self.lines_taken, self.lines)}, branches {_percent(self.branches_taken, self.branches)}"
        )

    @property
    def percent(self) -> float:
        """Of branches."""
        return 100.0 * self.branches_taken / max(1, self.branches)


def _percent(part: int, whole: int) -> str:
    return f"{part} of {whole} ({100.0 * part / max(1, whole):.2f} %)"


def counts(measured: coverage.Coverage) -> dict[str, Count]:
    """By package; of all files, whether anything came to them or not."""
    found: dict[str, Count] = defaultdict(Count)
    for path in measured.get_data().measured_files():
        numbers = measured._analyze(path).numbers
        relative = Path(path).relative_to(PACKAGE)
        package = relative.parts[0] if len(relative.parts) > 1 else "cladpy itself"
        found[package] += Count(
            numbers.n_statements,
            numbers.n_statements - numbers.n_missing,
            numbers.n_branches,
            numbers.n_executed_branches,
        )
    return dict(sorted(found.items()))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.covered")
    parser.add_argument("--part", default="1/1", help="K/N: each N-th program, from the K-th")
    parser.add_argument("--random", type=int, default=100, help="how many random kernels")
    parser.add_argument("--keep", type=Path, help="a file with what other parts have found")
    parser.add_argument("--at-least", type=float, default=0, help="percent of the stages' branches; less is a failure")
    parser.add_argument("--missing", action="store_true", help="list what was not taken")
    options = parser.parse_args()
    part, parts = map(int, options.part.split("/"))
    measured = coverage.Coverage(
        branch=True,
        source=[str(PACKAGE)],
        concurrency=["thread"],
        data_file=None if options.keep is None else str(options.keep),
        messages=False,
    )
    for pattern in EXCLUDED:
        measured.exclude(pattern)
    if options.keep is not None and options.keep.exists():
        measured.load()
    status = 0
    measured.start()
    try:
        differentiate_all(part - 1, parts, options.random)
        if part == parts:
            status = pytest.main(["-q", "-p", "no:cacheprovider", "-p", "no:xdist", *TESTS])
    finally:
        measured.stop()
    if options.keep is not None:
        measured.save()
    if options.missing:
        measured.report(show_missing=True, skip_covered=True, include=[str(PACKAGE / s / "*") for s in STAGES])
    found = counts(measured)
    for package, count in found.items():
        print(f"{package}: {count}")
    stages = sum((found[s] for s in STAGES if s in found), Count())
    print(f"all: {sum(found.values(), Count())}")
    print(f"the stages that make the derivative: {stages}")
    if stages.percent < options.at_least:
        print(f"{stages.percent:.2f} % is less than {options.at_least:.2f} %")
    return 1 if status != 0 or stages.percent < options.at_least else 0


if __name__ == "__main__":
    sys.exit(main())
