"""The steps of `python -m tests`, and of its other forms."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from tests.command import quick as quick_rows
from tests.command.record import FILE, ROOT, Record
from tests.covered.work import TESTS

_PYTEST = ("-m", "pytest", "-n", "2", "--dist", "loadgroup", "--max-worker-restart", "0")
_RANDOM = "tests/generator/test_generator.py"
# So many of each form.
_FORMS = {"kernel": "threads", "block": "blocks", "program": "programs", "pattern": "patterns", "steps": "steps"}
_EACH = 2
# The derivative of every rule, at many points.
_RULES = "tests/derivatives/test_rules.py"
# Files of tests that keep a core busy for more than six seconds from a cold cache, with compilers above all: the
# shortest run has no time for these (`pytest --durations=0` tells).
_LONG = Path(__file__).with_name("long.txt")


@dataclass(frozen=True)
class Step:
    name: str
    arguments: Sequence[str]


def checks() -> list[Step]:
    contracts = "import sys; from importlinter import cli; sys.exit(cli.lint_imports())"
    return [
        Step("ruff", ["-m", "ruff", "check", "."]),
        Step("mypy", ["-m", "mypy"]),
        Step("imports", ["-c", contracts]),  # of pyproject.toml
    ]


def quick() -> list[Step]:
    """What looks into every stage, in minutes: the tests of texts, all refusals, gradients that have every kind of node
    and apply every rule (`python -m tests.command.choose`), and some random programs."""
    rows = quick_rows.names()
    random = [
        f"{_RANDOM}::test_gradient_of_random_{of}[{form}-{seed}]"
        for of, form in _FORMS.items()
        for seed in range(_EACH)
    ]
    long = _LONG.read_text().split()
    tests = [file for file in TESTS if file not in long]
    return [
        *checks(),
        Step("acceptance", ["tests/acceptance/acceptance.py", "host", "talk", "launch"]),
        Step("quick", [*_PYTEST, *tests, _RULES, *rows, *random]),
    ]


def changed(commit: str | None) -> list[Step]:
    """What a change may touch; see `changed.py`."""
    from tests.command.changed import changed_files, since, touched  # reads all tables

    base = since(commit)
    record = Record.read()
    if record is None:
        print(f"nothing is recorded in {FILE.relative_to(ROOT)} (`python -m tests --all` does): by stages, then")
    names = touched(changed_files(base), base, record)
    return [*checks(), *([Step("changed", [*_PYTEST, *names])] if names else [])]


def rest(until: float | None) -> list[Step]:
    """What the shortest run leaves, and the branches that are taken, in an order of the commit's own; what changed in
    the last commit comes first. On a slow machine the first of both may take all the time there is, so that each comes
    first for one commit in two."""
    head = _git("rev-parse", "HEAD") or "none"
    first = ROOT / "build" / "tests" / "first.txt"
    first.parent.mkdir(parents=True, exist_ok=True)
    first.write_text(_git("diff", "--name-only", "HEAD~1", "HEAD", "--", "tests") + "\n")
    how = ["-p", "tests.command.plugin", "--ff", "--first", str(first), "--drawn", head]
    # it was 99.5 before loops were shared: what `passes/at_once.py` refuses is not all reached by a row; and 99 before
    # scratch that lasts, tables and addresses came, whose programs were chosen without counting what they reach
    # 98.5 and 96 were met before matrix products, loops over the threads of a block, programs for Kokkos and pages came
    covered = ["-m", "tests.covered", "--chosen", "--workers", "2", "--at-least", "98", "--in-all", "95"]
    if until is None:
        covered += ["--record", str(FILE)]
    else:
        covered += ["--until", str(until)]
        how += ["--until", str(until)]
    both = [
        Step("coverage", covered),
        # all that the step before does not run
        Step("pytest", [*_PYTEST, *how, *(f"--ignore={file}" for file in TESTS)]),
    ]
    return both if until is None or sha256(head.encode()).digest()[0] % 2 == 0 else both[::-1]


def ends_in(minutes: float | None) -> float | None:
    """When no more tests are begun, in seconds since the epoch."""
    return None if minutes is None else time.time() + 60 * minutes


def _git(*arguments: str) -> str:
    """What git says; nothing where there is no repository, or no commit before the last."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""
