"""The gradients of the kernels in tests/kernels, and of the programs in tests/programs, run on a device: compared, and
exercised for compute-sanitizer.

usage: python -m benchmarks.gpu_gradients compare  [--backend B] [--part K/N] [--only TEXT] [--jobs 16] [--output FILE]
                                                  [--host-alone]
       python -m benchmarks.gpu_gradients exercise [--backend B] [--part K/N] [--only TEXT]

`compare` runs every kernel of the table through `execute_kernel` and compares the gradient with the oracle, with
central differences of the primal on the same backend, and element by element with the host backend; with --host-alone,
which takes half of the time, with this alone, which the tests compare with the oracle. What is wrong is
tried again in a process of its own: a kernel that faults leaves its process without a device. `exercise` runs the
talk's kernels and a choice of others at several block sizes, small, so that a sanitizer can watch. Exit 0 only if all
are right. `--backend host` tries the script itself where there is no device.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# The host's values are the oracle's bit for bit only where the compiler folds no calls of math functions.
os.environ.setdefault("CLADPY_HOST_FLAGS", "-O1 -frounding-math")

import numpy as np

import cladpy
from cladpy.check.gradient_check import DOUBLE_TOLERANCE, FLOAT_TOLERANCE, HALF_TOLERANCE, check, sample
from cladpy.check.oracle import Oracle
from cladpy.diagnostics import CladpyError
from tests.kernels.case import Case, N
from tests.kernels.cases import CASES as KERNELS
from tests.kernels.cases import rows
from tests.programs.case import Program
from tests.programs.cases import CASES as PROGRAMS

# __sinf and its like are a few 1e-6 off by design, on the device alone.
BOUNDS = {
    "math-fast_forms": 1e-4,
    "rendering-trace": 5e-4,  # contracted multiply-adds in single precision move where rays meet spheres
}
# The contents that the table gives to pointers in variables lie in the memory of the host.
HOST_ONLY = (
    "domains-hydro::run",  # Thrust has a layout of its own there
    "domains-hydro::energy",
    "class_variables-through_pointers",
    "copies-numbers_of_objects",  # the host reads the array that a kernel is given
    "left_over-launched_without",  # this one too
    "null_members-variables",
    "talk-fn_that_frees",  # the primal frees the copy that an array has on the device for the time of a call
)

CASES: tuple[Case, ...] = (*KERNELS, *(p for p in PROGRAMS if not p.refused))
BLOCK_SIZES = (1, 33, 96, 256, 1024)
EXERCISED = (
    "operators-compound_memory",
    "control-early_return",
    "control-loop_in_switch_in_loop",
    "control-nonlinear_state",
    "control-carried_through_branches",
    "memory-in_place_loop",
    "memory-in_place_while",
    "memory-overwritten_array",
    "memory-scatter_own",
    "functions-local_array_to_callees",
    "functions-global_pointers",
    "threads-scalar_arguments",
    "threads-grid_stride",
    "threads-two_dimensions",
    "threads-three_dimensions",
    "threads-weighted_histogram",
    "threads-atomic_float",
    "science-black_scholes",
    "science-lennard_jones",
    "science-gemm",
    "science-softmax",
    "science-runge_kutta",
    "science-thomas",
    "classes-passed_around",
    "classes-nested",
    "classes-private_stores",
    "classes-rows_of_pointers",
    "function_objects-captures",
    "reinterpreted-floats_as_vectors",
    "variables-write_variables",
    "recursive_writes-with_loops",
    "recursive_writes-taken",
    "recursive_writes-sorted",
)
# All of what their threads do together.
EXERCISED_FILES = (
    "ties",
    "tied_reductions",
    "sides",
    "cub_blocks",
    "leaning",
    "shared",
    "dynamic_shared",
    "large_shared",
    "lone_barriers",
    "warps",
    "warps_in_blocks",
    "warp_rows",
    "groups",
    "group_objects",
    "halving",
    "halves",
    "half_shared",
    "half_shuffles",
    "half_pair_shuffles",
    "leaving",
    "intervals",
    "meetings",
    "swaps",
    "volatile_memory",
    "block_reductions",
    "block_products",
    "block_stencils",
    "block_learning",
    "block_algorithms",
    "pairs",
    "put_back",
    "lambdas",
    "shared_variables",
    "by_launch",
    "chosen_rows",
    "neighbours",
    "barriers_within",
    "evaluated_once",
    "async_copies",
    "packs",
)


LONGEST = 100  # seconds between one answer and the next


@dataclass(frozen=True)
class Outcome:
    case: str
    wrong: str  # what is wrong, or nothing
    oracle: float  # largest error in units of its bound
    differences: float
    host: float  # largest relative difference from the host backend
    seconds: float

    def __str__(self) -> str:
        if self.wrong:
            return f"{self.case}: WRONG: {self.wrong}"
        return (
            f"{self.case}: right; host {self.host:.1e}, differences {self.differences:.1e}, "
            f"oracle {self.oracle:.1e} of its bound ({self.seconds:.0f} s)"
        )


def matching(text: str, cases: tuple[Case, ...]) -> list[Case]:
    """Those whose names contain one of some words, which commas separate."""
    return [c for c in cases if any(word in c.id for word in text.split(","))]


def _bound(oracle: Oracle) -> float:
    """What a GPU may differ by: compilers contract multiply-adds there, in half precision too."""
    if oracle.half_precision:
        return HALF_TOLERANCE
    return FLOAT_TOLERANCE if oracle.single_precision else DOUBLE_TOLERANCE


def compare(case: Case, backend: str, *, host_alone: bool = False) -> Outcome:
    start = time.monotonic()
    gradient = cladpy.gradient(str(case.path), case.function, case.args, backend=backend)
    # before the check, which may leave other contents in variables at namespace scope
    host = cladpy.gradient(str(case.path), case.function, case.args, backend="host")
    how: dict[str, Any] = {"variables": case.contents(), "shared_mem": case.shared_mem}
    distance = max(
        largest_difference(
            sample(gradient, grid, block, case.arguments(), **how),
            sample(host, grid, block, case.arguments(), **how),
        )
        for grid, block in launches(case)
    )
    oracle = Oracle(gradient.derivative.program, gradient.derivative.options, gradient.derivative.source)
    bound = BOUNDS.get(case.id, _bound(oracle))
    if host_alone:
        wrong = [] if distance <= bound else [f"differs from the host backend by {distance:.1e}, at most {bound:.1e}"]
        return Outcome(case.id, "; ".join(wrong), 0.0, 0.0, distance, time.monotonic() - start)
    how["split"] = in_halves(case)
    report = check(gradient, case.grid, case.block, case.arguments(), **how, oracle=oracle, tolerance=bound, elements=8)
    by_differences = [f for f in report.findings if "differences" in f.what]
    others = [f for f in report.findings if "differences" not in f.what]
    condition = max(f.condition for f in report.findings)

    wrong = [str(f) for f in report.findings if not f.ok]
    if not distance <= bound * condition:
        wrong.append(f"differs from the host backend by {distance:.1e}, at most {bound * condition:.1e}")
    return Outcome(
        case.id,
        "; ".join(wrong),
        max((f.excess for f in others), default=0.0),
        max((f.error for f in by_differences), default=0.0),
        distance,
        time.monotonic() - start,
    )


def in_halves(case: Case) -> bool:
    """Whether the split form is checked too, which is compiled by itself."""
    return CASES.index(case) % (6 if isinstance(case, Program) else 12) == 0


def largest_difference(found: list[np.ndarray], wanted: list[np.ndarray]) -> float:
    """Between the elements of one array, in units of its largest; atomics add in any order."""
    largest = 0.0
    for a, b in zip(found, wanted, strict=True):
        scale = max(1.0, float(np.abs(b).max(initial=0.0)))
        gap = float(np.abs(a.astype(float) - b.astype(float)).max(initial=0.0)) / scale
        largest = max(largest, gap if gap == gap else float("inf"))
    return largest


def guarded_compare(job: tuple[str, str, bool]) -> Outcome:
    """`compare` in a process of the pool: an exception becomes an outcome."""
    identifier, backend, host_alone = job
    case = next(c for c in CASES if c.id == identifier)
    try:
        return compare(case, backend, host_alone=host_alone)
    except Exception as error:
        if not isinstance(error, CladpyError):
            traceback.print_exc()
        lines = str(error).strip().splitlines() or [repr(error)]
        return Outcome(identifier, f"{type(error).__name__}: {' | '.join(lines)[:400]}", 0.0, 0.0, 0.0, 0.0)


def compare_all(cases: list[Case], backend: str, jobs: int, output: Path | None, *, host_alone: bool = False) -> int:
    start = time.monotonic()
    names = [c.id for c in cases]
    found = dict(_outcomes(names, backend, jobs, host_alone=host_alone))
    wrong = [name for name in names if found[name].wrong]
    if wrong:
        print(f"again, each in a process of its own: {len(wrong)}", flush=True)
        found.update(_outcomes(wrong, backend, jobs, each=1))
    outcomes = [found[name] for name in sorted(names)]
    right = [o for o in outcomes if not o.wrong]
    lines = [f"- {o}" for o in outcomes if o.wrong]
    if right:
        lines += [
            f"- largest difference from the host backend: {describe(right, 'host')}",
            f"- largest error against central differences of the primal: {describe(right, 'differences')}",
            f"- largest error against the oracle, in units of its bound: {describe(right, 'oracle')}",
        ]
    title = f"{len(right)}/{len(outcomes)} kernels right ({backend}, {time.monotonic() - start:.0f} s)"
    print(title, *lines, sep="\n")
    if output is not None:
        details = "\n".join(f"- {o}" for o in outcomes)
        output.write_text(f"# Gradients on {backend}\n\n{title}\n\n" + "\n".join(lines) + f"\n\n## Each\n{details}\n")
    return 0 if outcomes and len(right) == len(outcomes) else 1


def _outcomes(
    names: list[str], backend: str, jobs: int, each: int | None = None, *, host_alone: bool = False
) -> Iterator[tuple[str, Outcome]]:
    """What comes of the cases, in processes that take `each` of them, or as many as there are."""
    left = dict.fromkeys(names)
    with multiprocessing.get_context("spawn").Pool(jobs, maxtasksperchild=each) as pool:
        outcomes = pool.imap_unordered(guarded_compare, [(name, backend, host_alone) for name in names])
        while left:
            try:
                outcome = outcomes.next(timeout=LONGEST)
            except multiprocessing.TimeoutError:  # a process that is no more takes its case with it
                break
            del left[outcome.case]
            print(outcome, flush=True)
            yield outcome.case, outcome
    for name in left:
        yield name, Outcome(name, f"no answer in {LONGEST} s", 0.0, 0.0, 0.0, 0.0)


def describe(outcomes: list[Outcome], what: str) -> str:
    worst = max(outcomes, key=lambda o: float(getattr(o, what)))
    return f"{getattr(worst, what):.1e} ({worst.case})"


def launches(case: Case) -> Iterator[tuple[Any, Any]]:
    """The case's own launch, and other block sizes where the kernel is guarded by its number of elements."""
    yield case.grid, case.block
    guarded = any(isinstance(value, int) and value == N for value in case.values)
    if case.block == 32 and case.grid == 2 and guarded and not case.one_launch:
        for size in BLOCK_SIZES:
            yield -(-N // size) + 1, size


def exercise(cases: list[Case], backend: str) -> int:
    wrong = 0
    for case in cases:
        try:
            gradient = cladpy.gradient(str(case.path), case.function, case.args, backend=backend)
            how: dict[str, Any] = {"variables": case.contents(), "shared_mem": case.shared_mem}
            count = 0
            for grid, block in launches(case):
                adjoints = sample(gradient, grid, block, case.arguments(), **how)
                if not all(np.isfinite(a).all() for a in adjoints) or not any(a.any() for a in adjoints):
                    raise AssertionError(f"the adjoints of {grid}, {block} are not finite, or all zero")
                count += 1
            print(f"{case.id}: {count} launches", flush=True)
        except Exception as error:
            wrong += 1
            print(f"{case.id}: WRONG: {type(error).__name__}: {str(error)[:300]}", flush=True)
    print(f"{len(cases) - wrong}/{len(cases)} kernels ran ({backend})")
    return 1 if wrong else 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gpu_gradients", description=__doc__)
    parser.add_argument("what", choices=("compare", "exercise"))
    parser.add_argument("--backend", default="cuda", choices=("cuda", "host"))
    parser.add_argument("--part", default="1/1", metavar="K/N", help="every N-th of the cases, from the K-th on")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--only", default="", help="only the cases whose name contains this text")
    parser.add_argument("--host-alone", action="store_true", help="compare with the host backend alone")
    parser.add_argument("--output", type=Path, help="where to write the results (Markdown)")
    options = parser.parse_args()
    part, parts = (int(number) for number in options.part.split("/"))
    cases = tuple(c for c in CASES if options.backend == "host" or c.id not in HOST_ONLY)
    if options.what == "exercise":
        cases = tuple(
            c for c in cases if c in rows("talk") or c in PROGRAMS or c.id in EXERCISED or c.file in EXERCISED_FILES
        )
    chosen = matching(options.only, cases)[part - 1 :: parts]
    if options.what == "exercise":
        return exercise(chosen, options.backend)
    return compare_all(chosen, options.backend, options.jobs, options.output, host_alone=options.host_alone)


if __name__ == "__main__":
    sys.exit(main())
