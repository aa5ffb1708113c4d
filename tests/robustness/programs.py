"""The programs that are mutated, each with what is asked of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from tests.kernels.cases import CASES as KERNELS
from tests.programs.cases import CASES as PROGRAMS
from tests.reject.programs import FOLDER as REJECT

_HEAD = re.compile(r"// ([\w:]+)\((.*)\)")


@dataclass(frozen=True)
class Program:
    path: Path
    function: str
    args: str


def programs() -> list[Program]:
    """Those of the tables, and those that are refused; the order is the same everywhere."""
    found = [Program(case.path, case.function, case.args) for case in (*KERNELS, *PROGRAMS)]
    for path in sorted(REJECT.glob("*.cu")):
        head = _HEAD.match(path.read_text())
        if head is not None:
            found.append(Program(path, head[1], head[2]))
    return found
