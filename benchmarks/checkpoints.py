"""What a budget of copies costs: a loop in time, with all of its states kept and with a few.

usage: python -m benchmarks.checkpoints [--backend NAME] [--state BYTES] [--steps N] [--budget BYTES]... [--output FILE]

Runs the gradient of a program of N steps with `checkpoint="all"`, then with `"binomial:BYTES"` for each budget. Checks
that the gradients agree and that the budget held, and prints the times, the most bytes of copies that were kept at a
time, and how many steps were made again. On a GPU the state is 64 MiB, there are 1,000 steps, and the budget is 1 GiB,
unless said otherwise. Ends with 1 if a gradient differs or a budget did not hold.
"""

from __future__ import annotations

import argparse
import re
import statistics
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import cladpy
from cladpy.runtime.library import ProgramReport

SOURCE = Path(__file__).parent / "checkpoints.cu"
RESULTS = Path(__file__).parent / "results" / "checkpoints.md"
UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30}
RUNS = 3
SAME = 1e-9  # sums by atomics come in another order each time


@dataclass(frozen=True)
class Row:
    checkpoint: str
    seconds: float
    report: ProgramReport
    difference: float  # from the gradient with all states kept, relative to its largest number


def bytes_of(text: str) -> int:
    """`64M` as a number."""
    given = re.fullmatch(r"(\d+)([KMG]?)", text)
    if given is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of bytes")
    return int(given[1]) * UNITS[given[2]]


def measure(backend: str, state: int, steps: int, checkpoints: list[str]) -> tuple[float, list[Row]]:
    """The primal's seconds, and a row for each way to keep states."""
    n = state // 8
    u0 = np.sin(np.linspace(0, 20, n))
    first: list[np.ndarray] = []
    rows: list[Row] = []
    primal = 0.0
    for checkpoint in checkpoints:
        gradient = cladpy.gradient(SOURCE, "burgers", "u, viscosity", backend=backend, checkpoint=checkpoint)
        times = []
        for run in range(RUNS + 1):  # the first one compiles
            adjoints = [np.cos(np.arange(n)), np.zeros(1)]
            start = time.perf_counter()
            gradient.execute(u0.copy(), 0.1, n, steps, *adjoints)
            times += [time.perf_counter() - start] if run else []
        first = first or adjoints
        largest = max(float(np.abs(a).max()) for a in first)
        difference = max(float(np.abs(a - b).max()) for a, b in zip(adjoints, first, strict=True)) / largest
        assert gradient.report is not None
        rows.append(Row(checkpoint, statistics.median(times), gradient.report, difference))
        print(f"{checkpoint}: {rows[-1].seconds:.3g} s, {gradient.report}", flush=True)
        if not primal:
            start = time.perf_counter()
            gradient.primal.execute(u0.copy(), 0.1, n, steps)
            start = time.perf_counter()
            gradient.primal.execute(u0.copy(), 0.1, n, steps)
            primal = time.perf_counter() - start
    return primal, rows


def table(primal: float, rows: list[Row], state: int, steps: int, backend: str, command: str) -> str:
    lines = [
        "# Budgets of copies",
        "",
        f"`{command}`",
        "",
        f"{steps:,} steps of a state of {_spelled(state)} ({SOURCE.name}), on backend {backend}; the median of {RUNS} "
        f"runs, from and to arrays of NumPy. The program itself takes {primal:.3g} s.",
        "",
        "| `checkpoint` | seconds | against `all` | most kept | steps made again | difference |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for row in rows:
        slowdown = row.seconds / rows[0].seconds
        lines.append(
            f"| `{row.checkpoint}` | {row.seconds:.3g} | {slowdown:.2f} | {_spelled(row.report.total)} | "
            f"{row.report.repeated:,} | {row.difference:.0e} |"
        )
    return "\n".join(lines) + "\n"


def _spelled(size: int) -> str:
    for unit, name in ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB")):
        if size >= unit:
            return f"{size / unit:.4g} {name}"
    return f"{size} bytes"


def main() -> int:
    parser = argparse.ArgumentParser(usage=(__doc__ or "").split("usage: ")[1].split("\n")[0])
    parser.add_argument("--backend", default="auto", choices=("auto", "cuda", "hip", "host"))
    parser.add_argument("--state", type=bytes_of, default=None)
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--budget", action="append", default=[])
    parser.add_argument("--output", type=Path, default=RESULTS)
    given = parser.parse_args()
    backend = cladpy.gradient(SOURCE, "burgers", "u, viscosity", backend=given.backend).backend
    state = given.state or (32 * 2**10 if backend == "host" else 64 * 2**20)
    budgets = given.budget or [f"{16 * state // 2**10}K" if state % 2**26 else f"{16 * state // 2**30}G"]
    primal, rows = measure(backend, state, given.steps, ["all", *(f"binomial:{b}" for b in budgets)])
    text = table(
        primal, rows, state, given.steps, backend, f"python -m benchmarks.checkpoints {' '.join(sys.argv[1:])}".strip()
    )
    print(text)
    given.output.write_text(text)
    held = all(row.report.total <= bytes_of(b) for row, b in zip(rows[1:], budgets, strict=True))
    return 0 if held and all(row.difference <= SAME for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
