"""Gradients of standard operations against PyTorch's.

usage: python -m tests.torch_reference [--backend host|cuda|hip] [--only TEXT] [--jobs N]
       python -m tests.torch_reference --write [--only PROGRAM]

The first form runs every row of the table and compares it with what is stored: a line for each row, with what is wrong
at the points where something is, and the totals at the end. Exit 0 only if all are right, but for what `known.py` has.
It needs neither PyTorch nor a network. The second computes anew what is stored, with PyTorch.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
import time
from collections.abc import Iterator
from typing import Any

from tests.torch_reference.compared import Compared, run
from tests.torch_reference.operation import HERE
from tests.torch_reference.table import PROGRAMS, ROWS, operations


def text_of(program: str) -> str:
    """What is stored for a program: a line for each point, so that a change is seen where it is."""
    from tests.torch_reference.reference import references

    parts = []
    for operation in operations(program):
        lines = [f"    {json.dumps(point)}: {_compact(found)}" for point, found in references(operation).items()]
        parts.append(f"  {json.dumps(operation.name)}: {{\n" + ",\n".join(lines) + "\n  }")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _compact(found: Any) -> str:
    return json.dumps(found, separators=(",", ":"), allow_nan=False)


def write(only: str) -> int:
    for program in PROGRAMS:
        if only in program:
            start = time.monotonic()
            text = text_of(program)
            (HERE / "stored" / f"{program}.json").write_text(text)
            print(f"{program}: {len(text)} bytes ({time.monotonic() - start:.0f} s)", flush=True)
    return 0


def compare(backend: str, only: str, jobs: int) -> int:
    start = time.monotonic()
    chosen = [number for number, row in enumerate(ROWS) if any(word in row.id for word in only.split(","))]
    points = known = wrong = wrong_rows = 0
    for found in _outcomes([(number, backend) for number in chosen], jobs):
        state = "WRONG" if found.wrong else "right"
        count = found.wrong or found.points - found.known
        as_known = f", wrong at {found.known} as known" if found.known else ""
        print(f"{ROWS[found.row].id}: {state} at {count} of {found.points} points{as_known}", flush=True)
        for text in found.texts:
            print(f"    {text}", flush=True)
        points, known, wrong = points + found.points, known + found.known, wrong + found.wrong
        wrong_rows += bool(found.wrong)
    names = {(ROWS[n].file, ROWS[n].operation.name) for n in chosen}
    print(
        f"{len(names)} operations, {len(chosen)} kernels, {wrong_rows} wrong; {points} points, {wrong} wrong, {known} "
        f"wrong as known ({backend}, {time.monotonic() - start:.0f} s)"
    )
    return 1 if wrong_rows or not chosen else 0


def _outcomes(work: list[tuple[int, str]], jobs: int) -> Iterator[Compared]:
    if jobs == 1:
        yield from map(run, work)
        return
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap(run, work)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.torch_reference", description=__doc__)
    parser.add_argument("--write", action="store_true", help="compute anew what is stored, with PyTorch")
    parser.add_argument("--backend", default="host", choices=("host", "cuda", "hip"))
    parser.add_argument("--only", default="", help="only rows whose name contains one of these words")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    return write(options.only) if options.write else compare(options.backend, options.only, options.jobs)


if __name__ == "__main__":
    sys.exit(main())
