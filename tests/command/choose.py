"""`python -m tests.command.choose`: writes quick.txt anew, the rows of the tables that the shortest run compiles and
runs.

Together they have every kind of node and apply every rule that any row does. The rows of a file are compiled together,
so a row beside another that is chosen costs less than one of another file.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from unittest import mock

from cladpy import pipeline
from cladpy.adjoint.gradient import Gradient
from cladpy.emit.unit import emit
from cladpy.options import Options
from cladpy.source import Source
from tests.command import quick
from tests.command.kinds import kinds_of
from tests.kernels.case import Case
from tests.kernels.cases import CASES as KERNELS
from tests.programs.cases import CASES as PROGRAMS

# What a file takes beside its rows, in lines of what is emitted for a row.
_FILE = 600


@dataclass(frozen=True)
class Row:
    name: str  # the test's, as pytest has it
    file: str
    kinds: frozenset[str]
    lines: int


def name_of(case: Case) -> str:
    """Of the test of a row."""
    test = "tests/test_gradients.py" if case in KERNELS else "tests/programs/test_programs.py"
    return f"{test}::test_gradient[{case.id}]"


def _rows() -> Iterator[Row]:
    for case in (*KERNELS, *(p for p in PROGRAMS if not p.refused)):
        found: list[Gradient] = []

        def noted(gradient: Gradient, *args: Any, found: list[Gradient] = found, **how: Any) -> Any:
            found.append(gradient)
            return emit(gradient, *args, **how)

        with mock.patch.object(pipeline, "emit", noted):
            derivative = pipeline.differentiate(
                Source.load(case.path), case.function, case.args, Options.make(), "host"
            )
        kinds = frozenset(kind for gradient in found for kind in kinds_of(gradient))
        yield Row(name_of(case), str(case.path), kinds, derivative.code.count("\n"))


def chosen(rows: list[Row]) -> list[Row]:
    """Greedily: what adds most for its cost, until nothing is added. Of those, what the others make needless goes."""
    left = frozenset[str]().union(*(row.kinds for row in rows))
    files: set[str] = set()
    found: list[Row] = []
    while left:
        best = max(rows, key=lambda row: len(row.kinds & left) / (row.lines + _FILE * (row.file not in files)))
        found.append(best)
        files.add(best.file)
        left -= best.kinds
    for row in list(found):
        others = frozenset[str]().union(*(r.kinds for r in found if r is not row))
        if row.kinds <= others:
            found.remove(row)
    return found


def main() -> int:
    rows = list(_rows())
    found = chosen(rows)
    quick.FILE.write_text("".join(f"{name}\n" for name in sorted(row.name for row in found)))
    kinds = frozenset[str]().union(*(row.kinds for row in rows))
    print(f"{len(found)} of {len(rows)} rows have all {len(kinds)} kinds of nodes and rules")
    return 0


if __name__ == "__main__":
    sys.exit(main())
