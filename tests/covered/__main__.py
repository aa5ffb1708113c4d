"""See `tests.covered`."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

import coverage
import pytest

PACKAGE = Path(__file__).parents[2] / "cladpy"
STAGES = ("ir", "normalize", "analysis", "adjoint", "derivatives")
# What looks into the stages, and the rest of the package as far as that happens in one process.
TESTS = (
    "tests/adjoint",
    "tests/check",
    "tests/cli",
    "tests/derivatives/test_document.py",
    "tests/derivatives/test_lookup.py",
    "tests/derivatives/test_names.py",
    "tests/emitted/test_forms.py",
    "tests/emitted/test_libraries.py",
    "tests/emitted/test_ranges.py",
    "tests/emitted/test_split.py",
    "tests/explain",
    "tests/frontend",
    "tests/ir",
    "tests/normalize",
    "tests/packaging/test_errors.py",
    "tests/packaging/test_recipes.py",
    "tests/packaging/test_semantics_page.py",
    "tests/reject",
    "tests/runtime/test_arguments.py",
    "tests/runtime/test_class_arguments.py",
    "tests/runtime/test_structs.py",
    "tests/test_custom_derivatives.py",
    "tests/test_destructors.py",
    "tests/test_integer_arguments.py",
    "tests/test_marks.py",
    "tests/test_member_adjoints.py",
    "tests/test_pullback_names.py",
    "tests/test_variables.py",
)
# Those of the sample are quick, and need no compiler.
SAMPLED_TESTS = (
    "tests/derivatives/test_document.py",
    "tests/derivatives/test_lookup.py",
    "tests/derivatives/test_names.py",
    "tests/frontend/test_classes.py",
    "tests/frontend/test_expressions.py",
    "tests/frontend/test_host_launches.py",
    "tests/frontend/test_statements.py",
    "tests/ir/test_code_text.py",
    "tests/ir/test_code_verify.py",
    "tests/ir/test_core_verify.py",
    "tests/ir/test_surface_verify.py",
    "tests/ir/test_types.py",
    "tests/normalize",
    "tests/reject/test_unreachable.py",
)
# What no program reaches: impossible cases that the type checker wants named, and what only type checkers, debuggers
# and commands come to.
EXCLUDED = (
    "assert_never",
    "raise AssertionError",
    "if TYPE_CHECKING",
    "@abstractmethod",
    r"^\s*\.\.\.$",
    "def __repr__",
    'if __name__ == "__main__"',
)
TARGETS = ("cuda", "host", "hip")
WAYS: tuple[dict[str, Any], ...] = (
    {"may_alias": True},
    {"accumulate": "deterministic"},
    {"split": True},
    {"accumulate": "atomic"},
    {"checkpoint": "binomial:1M"},
)
# Of the programs, the sample has every so-many-th, and so many random ones.
SAMPLED = 8
SAMPLED_RANDOM = 12


@dataclass(frozen=True)
class Job:
    """A program that is differentiated, in one of the ways or as is; `key` never changes with what else there is."""

    text: str | Path
    function: str
    args: str
    key: int

    def run(self, options: dict[str, Any]) -> None:
        from cladpy.diagnostics import CladpyError
        from cladpy.options import Options
        from cladpy.pipeline import differentiate
        from cladpy.source import Source

        target = TARGETS[self.key // 7 % len(TARGETS)]
        with suppress(CladpyError):
            differentiate(Source.load(self.text), self.function, self.args, Options.make(**options), target)

    @property
    def way(self) -> dict[str, Any]:
        return WAYS[self.key // 11 % len(WAYS)]


def jobs(random: int) -> Iterator[Job]:
    """The programs of the tables, each with what is asked of it once, and so many random ones."""
    from tests.generator import generate, generate_block, generate_program
    from tests.robustness.programs import programs

    for p in dict.fromkeys(programs()):
        yield Job(p.path, p.function, p.args, crc32(f"{p.path.name} {p.function} {p.args}".encode()))
    forms = (generate, generate_block, generate_program)
    for seed in range(random):
        made = forms[seed % len(forms)](seed)
        yield Job(made.text, made.function, made.args, seed)


def differentiate_all(part: int, parts: int, random: int, sample: bool) -> None:
    """Each so-many-th program, as is and in another way; those of the sample in one of the two."""
    chosen = (j for j in jobs(random) if not sample or isinstance(j.text, str) or j.key % SAMPLED == 0)
    for job in list(chosen)[part::parts]:
        ways = [{}, job.way]
        for options in ways[job.key // 13 % 2 :][:1] if sample else ways:
            job.run(options)


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
    parser.add_argument("--part", default="1/1", help="K/N: each N-th program, from the K-th, and each N-th test")
    parser.add_argument("--workers", type=int, default=1, help="how many parts are done side by side")
    parser.add_argument("--sample", action="store_true", help="only what CI has time for")
    parser.add_argument("--random", type=int, help="how many random kernels")
    parser.add_argument("--keep", type=Path, help="a file with what other parts have found")
    parser.add_argument("--at-least", type=float, default=0, help="percent of the stages' branches; less is a failure")
    parser.add_argument("--missing", action="store_true", help="list what was not taken")
    options = parser.parse_args()
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
    start = time.monotonic()
    status = _side_by_side(options, measured) if options.workers > 1 else _one_part(options, measured)
    if options.keep is not None:
        measured.save()
    if options.missing:
        measured.report(show_missing=True, skip_covered=True, include=[str(PACKAGE / "*")])
    found = counts(measured)
    for package, count in found.items():
        print(f"{package}: {count}")
    stages = sum((found[s] for s in STAGES if s in found), Count())
    print(f"all: {sum(found.values(), Count())}")
    print(f"the stages that make the derivative: {stages}, in {time.monotonic() - start:.0f} s")
    if stages.percent < options.at_least:
        print(f"{stages.percent:.2f} % is less than {options.at_least:.2f} %")
    return 1 if status != 0 or stages.percent < options.at_least else 0


def _one_part(options: argparse.Namespace, measured: coverage.Coverage) -> int:
    part, parts = map(int, options.part.split("/"))
    tests = (SAMPLED_TESTS if options.sample else TESTS)[part - 1 :: parts]
    random = options.random if options.random is not None else SAMPLED_RANDOM if options.sample else 100
    status = 0
    measured.start()
    try:
        differentiate_all(part - 1, parts, random, options.sample)
        if tests:
            status = pytest.main(["-q", "-p", "no:cacheprovider", "-p", "no:xdist", *tests])
    finally:
        measured.stop()
    return status


def _side_by_side(options: argparse.Namespace, measured: coverage.Coverage) -> int:
    """Parts in processes of their own; their findings are joined."""
    given = [*(["--sample"] if options.sample else []), *([f"--random={options.random}"] if options.random else [])]
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"part{k}" for k in range(1, options.workers + 1)]
        commands = [
            [sys.executable, "-m", "tests.covered", f"--part={k}/{options.workers}", f"--keep={file}", *given]
            for k, file in enumerate(files, 1)
        ]
        running = [
            subprocess.Popen(c, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=PACKAGE.parent)
            for c in commands
        ]
        status = 0
        for process in running:
            output, _ = process.communicate()
            if process.returncode != 0:
                print(output)
                status = 1
        for file in files:
            part = coverage.CoverageData(str(file))
            part.read()
            measured.get_data().update(part)
    return status


if __name__ == "__main__":
    sys.exit(main())
