"""What is run while branches are counted: programs that are differentiated, each as is and in one more of the ways that
the options allow, and files of tests. Each has a name by which it can be chosen, which never changes with what else
there is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol
from zlib import crc32

import pytest

ROOT = Path(__file__).parents[2]
# What looks into the stages, and the rest of the package as far as that happens in one process. `python -m tests` runs
# these here, and nowhere else.
_PLACES = (
    "tests/adjoint",
    "tests/analysis",
    "tests/check",
    "tests/cli",
    "tests/derivatives/test_document.py",
    "tests/derivatives/test_lookup.py",
    "tests/derivatives/test_names.py",
    "tests/emitted/test_ranges.py",
    "tests/explain",
    "tests/frameworks",
    "tests/frontend",
    "tests/ir",
    "tests/kokkos",
    "tests/normalize",
    "tests/passes",
    "tests/packaging/test_errors.py",
    "tests/packaging/test_recipes.py",
    "tests/packaging/test_semantics_page.py",
    "tests/reject",
    "tests/runtime",
    "tests/test_custom_derivatives.py",
    "tests/test_destructors.py",
    "tests/test_integer_arguments.py",
    "tests/test_marks.py",
    "tests/test_member_adjoints.py",
    "tests/test_pullback_names.py",
    "tests/test_variables.py",
    "tests/toolchain",
)


def _files(place: str) -> list[str]:
    path = ROOT / place
    return sorted(str(p.relative_to(ROOT)) for p in path.rglob("test_*.py")) if path.is_dir() else [place]


TESTS: tuple[str, ...] = tuple(file for place in _PLACES for file in _files(place))
TARGETS = ("cuda", "host", "hip")
WAYS: tuple[dict[str, Any], ...] = (
    {"may_alias": True},
    {"accumulate": "deterministic"},
    {"split": True},
    {"accumulate": "atomic"},
    {"checkpoint": "binomial:1M"},
)


class Work(Protocol):
    @property
    def name(self) -> str: ...

    def run(self) -> bool:
        """Whether it went well."""


@dataclass(frozen=True)
class Program:
    """A program that is differentiated; whether it is refused is no matter here."""

    said: str
    text: str | Path
    function: str
    args: str
    way: tuple[tuple[str, Any], ...]

    @property
    def name(self) -> str:
        return " ".join((self.said, *(f"{key}={value}" for key, value in self.way)))

    def run(self) -> bool:
        from cladpy.diagnostics import CladpyError
        from cladpy.options import Options
        from cladpy.pipeline import differentiate
        from cladpy.source import Source

        target = TARGETS[crc32(self.said.encode()) // 7 % len(TARGETS)]
        with suppress(CladpyError):
            options = Options.make(**dict(self.way))
            differentiate(Source.load(self.text), self.function, self.args, options, target)
        return True


@dataclass(frozen=True)
class Tests:
    name: str

    def run(self) -> bool:
        # a file that needs what is not installed says so, and counts as one without tests
        done = pytest.main(["-q", "-p", "no:cacheprovider", "-p", "no:xdist", str(ROOT / self.name)])
        return done in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)


def everything(random: int) -> Iterator[Work]:
    """The tests, the programs of the tables, each with what is asked of it once, and so many random ones."""
    from tests.generator import generate, generate_block, generate_program
    from tests.robustness.programs import programs

    yield from map(Tests, TESTS)
    for p in dict.fromkeys(programs()):
        yield from _ways(f"{p.path.relative_to(ROOT)} {p.function}({p.args})", p.path, p.function, p.args)
    forms = (generate, generate_block, generate_program)
    for seed in range(random):
        made = forms[seed % len(forms)](seed)
        yield from _ways(f"random {seed}", made.text, made.function, made.args)


def _ways(said: str, text: str | Path, function: str, args: str) -> Iterator[Work]:
    other = WAYS[crc32(said.encode()) // 11 % len(WAYS)]
    for way in ({}, other):
        yield Program(said, text, function, args, tuple(way.items()))
