"""How many lines and branches of each package something came to."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import coverage

PACKAGE = Path(__file__).parents[2] / "cladpy"
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


# Tests do without these libraries where they are not installed: what is for their users alone does not count there.
FRAMEWORKS = ("jax", "torch")


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
        """Of lines and branches."""
        return 100.0 * (self.lines_taken + self.branches_taken) / max(1, self.lines + self.branches)

    @property
    def percent_of_branches(self) -> float:
        return 100.0 * self.branches_taken / max(1, self.branches)


def _percent(part: int, whole: int) -> str:
    return f"{part} of {whole} ({100.0 * part / max(1, whole):.2f} %)"


def of_cladpy(file: Path | None) -> coverage.Coverage:
    """A measurement of the package, that writes to `file` if there is one."""
    measured = coverage.Coverage(
        branch=True,
        source=[str(PACKAGE)],
        concurrency=["thread"],
        data_file=None if file is None else str(file),
        messages=False,
    )
    for pattern in EXCLUDED:
        measured.exclude(pattern)
    return measured


def _may_run(module: str) -> bool:
    """Whether there is what a module of `frameworks` is for; one that all share is for any."""
    return any(find_spec(name) is not None for name in FRAMEWORKS if name == module or module not in FRAMEWORKS)


def counts(measured: coverage.Coverage) -> dict[str, Count]:
    """By package; of all files, whether anything came to them or not, but for those whose library is not installed."""
    found: dict[str, Count] = defaultdict(Count)
    for path in measured.get_data().measured_files():
        relative = Path(path).relative_to(PACKAGE)
        if relative.parts[0] == "frameworks" and not _may_run(relative.stem):
            continue
        numbers = measured._analyze(path).numbers
        package = relative.parts[0] if len(relative.parts) > 1 else "cladpy itself"
        found[package] += Count(
            numbers.n_statements,
            numbers.n_statements - numbers.n_missing,
            numbers.n_branches,
            numbers.n_executed_branches,
        )
    return dict(sorted(found.items()))
