"""The benchmarks. To add one: `NAME.cu` with the kernel, `NAME_by_hand.cu` with gradients of it that are written by
hand, and `NAME.py` with a list `BENCHMARKS`; it is found by itself."""

from __future__ import annotations

import dataclasses
import importlib
from functools import cache
from pathlib import Path

from benchmarks.program import Benchmark


@cache
def all_benchmarks() -> tuple[Benchmark, ...]:
    found: list[Benchmark] = []
    for path in sorted(Path(__file__).parent.glob("[a-z]*.py")):
        module = importlib.import_module(f"benchmarks.programs.{path.stem}")
        found += (dataclasses.replace(b, file=b.file or path.stem) for b in module.BENCHMARKS)
    return tuple(found)


def find(name: str) -> Benchmark:
    return next(b for b in all_benchmarks() if b.name == name)
