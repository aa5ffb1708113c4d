"""The benchmarks. To add one: `NAME.cu` with the kernel, `NAME_by_hand.cu` with gradients of it that are written by
hand, and `NAME.py` with a list `BENCHMARKS`; it is found by itself. Those of another folder take the place of these
where the environment has its name, as processes of their own inherit it."""

from __future__ import annotations

import dataclasses
import importlib
import os
import sys
from functools import cache
from pathlib import Path

from benchmarks.program import Benchmark

FOLDER = "CLADPY_BENCHMARKS"  # the environment's name for the folder


@cache
def all_benchmarks() -> tuple[Benchmark, ...]:
    found: list[Benchmark] = []
    other = os.environ.get(FOLDER)
    folder = Path(other or Path(__file__).parent).resolve()
    if other and str(folder) not in sys.path:
        sys.path.insert(0, str(folder))  # processes that compile ask for the modules by name
    for path in sorted(folder.glob("[a-z]*.py")):
        module = importlib.import_module(path.stem if other else f"{__name__}.{path.stem}")
        found += (dataclasses.replace(b, file=b.file or path.stem, folder=folder) for b in module.BENCHMARKS)
    return tuple(found)


def find(name: str) -> Benchmark:
    return next(b for b in all_benchmarks() if b.name == name)
