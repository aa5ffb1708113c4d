"""A row of the table, compared on a device: what the workers of `python -m tests.torch_reference` run.

Processes that are spawned do not import the `__main__` of a package, so it has a module of its own.
"""

from __future__ import annotations

from dataclasses import dataclass

import cladpy
from tests.torch_reference.judge import Run, summary
from tests.torch_reference.known import known
from tests.torch_reference.table import ROWS


@dataclass(frozen=True)
class Compared:
    row: int
    points: int
    known: int  # at how many of them it is wrong, as `known.py` says
    wrong: int  # at how many it is not what it should be
    texts: list[str]


def run(job: tuple[int, str]) -> Compared:
    """A row's number and backend, compared at all of its points."""
    number, backend = job
    row = ROWS[number]
    expected, texts = 0, []
    try:
        gradient = cladpy.gradient(str(row.path), row.kernel.function, row.args, backend=backend)
        for point in row.points:
            faults, reason = Run(row, point).faults(gradient), known(row, point)
            if faults and reason is not None:
                expected += 1
            elif faults:
                texts.append(f"{point.id}: {summary(faults)}")
            elif reason is not None:
                texts.append(f"{point.id}: right, although known.py has it: {reason}")
    except Exception as error:
        lines = str(error).strip().splitlines() or [repr(error)]
        return Compared(
            number, len(row.points), 0, len(row.points), [f"{type(error).__name__}: {' | '.join(lines)[:400]}"]
        )
    return Compared(number, len(row.points), expected, len(texts), texts)
