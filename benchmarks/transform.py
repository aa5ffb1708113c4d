"""How long the transformation takes, and how it grows with the program.

usage: python -m benchmarks.transform [--output FILE] [--quick] [--profile FAMILY:SIZE]

Times `cladpy gradient` as a process on a kernel of 100 lines, and the transformation alone (text in, text out) on
families of programs that grow: straight-line kernels by their lines, call chains by their depth. For each family the
exponent of growth is that of a power law through the larger half of the sizes: 1 is linear. `--profile` prints where
one program's time goes instead. Ends with 1 if a goal is missed.
"""

from __future__ import annotations

import argparse
import cProfile
import gc
import math
import pstats
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from cladpy.options import Options
from cladpy.pipeline import differentiate
from cladpy.source import Source

START_GOAL = 1.5  # seconds for `cladpy gradient` on a kernel of 100 lines, the interpreter's start included
EXPONENT_GOAL = 1.25
RESULTS = Path(__file__).parent / "results" / "transform.md"


def straight_line(lines: int) -> str:
    """Every statement uses values from near and far, so that much of it is needed in the reverse sweep."""
    rng = random.Random(lines)
    forms = (
        "{a} * {b} + 0.5",
        "sin({a}) - {b} * 0.3",
        "{a} / (2.0 + {b} * {b})",
        "fmax({a}, {b}) * 0.9 + x[i]",
        "exp(-{a} * {a}) + {b}",
        "0.25 * ({a} - {b})",
    )
    names = ["x[i]"]
    body = []
    for k in range(lines - 5):
        a, b = rng.choice(names[-6:]), rng.choice(names)
        body.append(f"  double t{k} = {rng.choice(forms).format(a=a, b=b)};")
        names.append(f"t{k}")
    return "\n".join(
        [
            "__global__ void kernel(const double *x, double *y, int n) {",
            "  int i = blockIdx.x * blockDim.x + threadIdx.x;",
            "  if (i >= n) return;",
            *body,
            f"  y[i] = {names[-1]};",
            "}",
            "",
        ]
    )


def reassigned(lines: int) -> str:
    """Straight-line code over a handful of variables that are assigned again and again, with a branch now and then."""
    rng = random.Random(lines)
    names = [f"v{k}" for k in range(8)]
    body = [f"  double {name} = x[i] * {k + 1}.0;" for k, name in enumerate(names)]
    while len(body) < lines - 5:
        a, b, c = rng.sample(names, 3)
        if rng.random() < 0.1:
            body.append(f"  if ({a} > {b}) {c} = {a} * {b} * 0.1; else {c} -= 0.2 * {a};")
        else:
            body.append(f"  {a} = sin({b}) * {c} + 0.1 * {a};")
    return "\n".join(
        [
            "__global__ void kernel(const double *x, double *y, int n) {",
            "  int i = blockIdx.x * blockDim.x + threadIdx.x;",
            "  if (i >= n) return;",
            *body,
            f"  y[i] = {' + '.join(names)};",
            "}",
            "",
        ]
    )


def loops(lines: int) -> str:
    """Loops of five lines, one after the other, each going on with what the last one left."""
    body = []
    for k in range(max(1, (lines - 6) // 5)):
        body += [
            f"  for (int k{k} = 0; k{k} < 4; ++k{k}) {{",
            f"    double u = sin(s) * x[(i + k{k}) % n];",
            "    if (u > 0.5) s += u * u;",
            "    s = s * 0.5 + u;",
            "  }",
        ]
    return "\n".join(
        [
            "__global__ void kernel(const double *x, double *y, int n) {",
            "  int i = blockIdx.x * blockDim.x + threadIdx.x;",
            "  if (i >= n) return;",
            "  double s = x[i];",
            *body,
            "  y[i] = s;",
            "}",
            "",
        ]
    )


def chain_of(function: Callable[[int], str], last: str, call: str) -> Callable[[int], str]:
    def source(depth: int) -> str:
        return "\n".join(
            [
                last,
                *(function(k) for k in range(1, depth)),
                "__global__ void kernel(const double *x, double *y, int n) {",
                "  int i = blockIdx.x * blockDim.x + threadIdx.x;",
                "  if (i >= n) return;",
                f"  {call.format(top=depth - 1)}",
                "}",
                "",
            ]
        )

    return source


values = chain_of(
    lambda k: f"__device__ double f{k}(double a, double b) {{ return f{k - 1}(a * 0.9 + b, b * 0.5) * a; }}",
    "__device__ double f0(double a, double b) { return sin(a) * b; }",
    "y[i] = f{top}(x[i], x[(i + 1) % n]);",
)
pointers = chain_of(
    lambda k: (
        f"__device__ void f{k}(double *a, double *b) {{ double t = *a * *b; f{k - 1}(&t, a); *b = *b * 0.5 + sin(t); }}"
    ),
    "__device__ void f0(double *a, double *b) { *b = sin(*a) * *b; }",
    "double a = x[i], b = x[(i + 1) % n]; f{top}(&a, &b); y[i] = a * b;",
)
needed_results = chain_of(
    lambda k: f"__device__ double f{k}(double a) {{ double r = f{k - 1}(a * 0.9); return r * r * 0.5 + sin(r) * a; }}",
    "__device__ double f0(double a) { return sin(a) * a; }",
    "y[i] = f{top}(x[i]);",
)
called_twice = chain_of(
    lambda k: (
        f"__device__ double g{k}(double a) {{ return sin(a) * {k}.0; }}\n"
        f"__device__ double f{k}(double a) {{ return f{k - 1}(a * 0.9) * g{k}(a) + g{k}(a * 0.5); }}"
    ),
    "__device__ double f0(double a) { return sin(a) * a; }",
    "y[i] = f{top}(x[i]);",
)
global_pointers = chain_of(
    lambda k: (
        f"__device__ double f{k}(const double *a, double *out, double b) "
        f"{{ out[1] = out[1] * b; return f{k - 1}(a, out, b * 0.9) + a[0] * b; }}"
    ),
    "__device__ double f0(const double *a, double *out, double b) { out[0] = sin(a[0]) * b; return b; }",
    "y[2 * i] = f{top}(x + i, y + 2 * i, x[i]);",
)

LINES = (100, 300, 1000, 3000, 10000)
DEPTHS = (10, 50, 100, 200)


@dataclass(frozen=True)
class Family:
    name: str
    unit: str
    source: Callable[[int], str]
    sizes: tuple[int, ...]


FAMILIES = (
    Family("straight-line", "lines", straight_line, LINES),
    Family("reassigned", "lines", reassigned, LINES),
    Family("loops", "lines", loops, (100, 300, 1000, 3000)),
    Family("calls-values", "calls deep", values, DEPTHS),
    Family("calls-pointers", "calls deep", pointers, DEPTHS),
    Family("calls-results", "calls deep", needed_results, DEPTHS),
    Family("calls-branching", "calls deep", called_twice, DEPTHS),
    Family("calls-global", "calls deep", global_pointers, DEPTHS),
)


def transform(text: str) -> str:
    return differentiate(Source.load(text), "kernel", "x, y", Options.make(), "cuda").code


def seconds_for(text: str) -> tuple[float, int]:
    """The processor's time for one transformation, the least of several where it is short; and the lines it gives."""
    best, spent, lines = math.inf, 0.0, 0
    for _ in range(5):
        gc.collect()
        start = time.process_time()
        lines = transform(text).count("\n")
        taken = time.process_time() - start
        best, spent = min(best, taken), spent + taken
        if spent > 2.0:
            break
    return best, lines


def exponent(sizes: list[int], seconds: list[float]) -> float:
    """Of a power law by least squares through the larger half of the points."""
    half = len(sizes) // 2
    xs = [math.log(s) for s in sizes[half:]]
    ys = [math.log(t) for t in seconds[half:]]
    x, y = statistics.fmean(xs), statistics.fmean(ys)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True)) / sum((a - x) ** 2 for a in xs)


def measure_family(family: Family, sizes: tuple[int, ...]) -> tuple[list[str], float]:
    transform(family.source(10))  # imports, caches
    found: list[float] = []
    rows = []
    for size in sizes:
        taken, lines = seconds_for(family.source(size))
        found.append(taken)
        rows.append(f"| {family.name} | {size} {family.unit} | {taken:.3f} | {taken / size * 1e3:.3f} | {lines} |")
        print(rows[-1], flush=True)
    return rows, exponent(list(sizes), found)


def measure_process() -> list[float]:
    """Wall times of `cladpy gradient` on a kernel of 100 lines."""
    times = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kernel.cu"
        path.write_text(straight_line(100))
        command = [sys.executable, "-m", "cladpy", "gradient", str(path), "-f", "kernel", "--args", "x, y"]
        command += ["-o", str(Path(folder) / "out.cu")]
        for _ in range(6):
            start = time.perf_counter()
            subprocess.run(command, check=True, capture_output=True)
            times.append(time.perf_counter() - start)
    return times[1:]


def profile(what: str) -> int:
    name, _, size = what.partition(":")
    family = next((f for f in FAMILIES if f.name == name), None)
    if family is None or not size.isdigit():
        print(f"--profile takes FAMILY:SIZE, with one of {', '.join(f.name for f in FAMILIES)}", file=sys.stderr)
        return 2
    text = family.source(int(size))
    transform(family.source(10))
    recorder = cProfile.Profile()
    recorder.runcall(differentiate_here, text)
    stats = pstats.Stats(recorder)
    stats.sort_stats("tottime").print_stats(25)
    stats.sort_stats("cumulative").print_stats(45)
    return 0


def differentiate_here(text: str) -> None:
    """As `transform`, in this thread, where a profiler sees it: with a limit so high `run_deep` starts no other."""
    sys.setrecursionlimit(1_000_000)
    transform(text)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.transform", description=__doc__)
    parser.add_argument("--output", type=Path, default=RESULTS)
    parser.add_argument("--quick", action="store_true", help="without the largest sizes, and nothing is written")
    parser.add_argument("--only", default="", help="only the families named like this; nothing is written")
    parser.add_argument("--profile", default="", metavar="FAMILY:SIZE")
    options = parser.parse_args()
    if options.profile:
        return profile(options.profile)

    missed = []
    start = statistics.median(measure_process())
    print(f"`cladpy gradient` on 100 lines: {start:.2f} s (goal {START_GOAL} s)")
    if start > START_GOAL:
        missed.append("start")
    rows, summary = [], []
    for family in FAMILIES:
        if options.only not in family.name:
            continue
        sizes = family.sizes[:-1] if options.quick else family.sizes
        more, growth = measure_family(family, sizes)
        rows += more
        summary.append(f"| {family.name} | {growth:.2f} |")
        print(summary[-1], flush=True)
        if growth > EXPONENT_GOAL:
            missed.append(family.name)
    if not options.quick and not options.only:
        options.output.parent.mkdir(parents=True, exist_ok=True)
        options.output.write_text(
            "# The transformation's time\n\n"
            "`python -m benchmarks.transform`\n\n"
            f"`cladpy gradient` on a kernel of 100 lines, interpreter start included: {start:.2f} s "
            f"(median of 5; goal {START_GOAL} s).\n\n"
            "| program | size | seconds (processor) | ms per unit | lines emitted |\n|---|---|---|---|---|\n"
            + "\n".join(rows)
            + "\n\n| program | exponent of growth |\n|---|---|\n"
            + "\n".join(summary)
            + f"\n\nLinear is 1; the goal is at most {EXPONENT_GOAL}.\n"
        )
    print("goals missed: " + ", ".join(missed) if missed else "all goals met")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
