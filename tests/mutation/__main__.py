"""`python -m tests.mutation`: errors in all derivative rules, in passes, and in a sample of steps of gradients; exit
status 1 where a rule's or a pass's is not noticed, or fewer steps than asked for."""

from __future__ import annotations

import argparse
import collections
import random
import sys
import time
from collections.abc import Iterator

from tests.fuzz.trial import RIGHT
from tests.fuzz.workers import Pool
from tests.mutation.passes import WRONG, Planted
from tests.mutation.rules import mutants, verdicts
from tests.mutation.steps import ALONE, DEAD, NOT_RUN, SAME, Step, rows, steps_of


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation")
    parser.add_argument("--steps", type=int, default=300, help="how many changes of gradients are tried")
    parser.add_argument("--each", type=int, default=4, help="of one program, at most")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--only", help="of programs whose name has this in it")
    parser.add_argument("--at-least", type=float, default=0.95, help="the part of the steps that must be noticed")
    options = parser.parse_args()
    missed = of_rules() + of_passes(options.workers) if options.only is None else 0
    part = of_steps(options) if options.steps else 1.0
    return 1 if missed or part < options.at_least else 0


def of_rules() -> int:
    """How many errors in rules go unnoticed."""
    chosen = mutants()
    missed = [mutant for mutant, verdict in zip(chosen, verdicts(chosen), strict=True) if not verdict]
    print(f"rules: {len(chosen) - len(missed)} of {len(chosen)} errors are noticed", flush=True)
    for mutant in missed:
        print(f"  missed: {mutant}")
    return len(missed)


def of_passes(workers: int) -> int:
    """How many errors in passes go unnoticed."""
    with Pool(workers, 180.0) as pool:
        outcomes = dict(pool.all((k, Planted(k)) for k in range(len(WRONG))))
    missed = [WRONG[k] for k, outcome in sorted(outcomes.items()) if outcome.kind in (RIGHT, SAME)]
    print(f"passes: {len(WRONG) - len(missed)} of {len(WRONG)} errors are noticed", flush=True)
    for wrong in missed:
        print(f"  missed: {wrong}")
    return len(missed)


def of_steps(options: argparse.Namespace) -> float:
    """The part of the changes that is noticed."""
    tried: collections.Counter[str] = collections.Counter()
    noticed: collections.Counter[str] = collections.Counter()
    idle: collections.Counter[str] = collections.Counter()
    start = time.monotonic()
    with Pool(options.workers, 180.0) as pool:
        for step, outcome in pool.all((step, step) for step in _chosen(options)):
            if outcome.kind in (SAME, DEAD, ALONE, NOT_RUN):
                idle[outcome.kind] += 1
                continue
            tried[step.error] += 1
            noticed[step.error] += outcome.kind != RIGHT
            if sum(tried.values()) % 20 == 0:
                print(f"  {sum(noticed.values())} of {sum(tried.values())} so far", flush=True)
            if outcome.kind == RIGHT:
                print(f"  missed: {step}", flush=True)
    print(f"steps, in {time.monotonic() - start:.0f} s:")
    for error, count in sorted(tried.items()):
        print(f"  {error}: {noticed[error]} of {count}")
    print(f"  besides: {idle[DEAD]} that write what nobody reads, {idle[SAME]} that change nothing, and {idle[ALONE]}")
    print(
        f"  of atomics at elements to which no other thread comes; and {idle[NOT_RUN]} in kernels that no launch runs"
    )
    total = sum(tried.values())
    print(f"steps: {sum(noticed.values())} of {total} are noticed", flush=True)
    return sum(noticed.values()) / total if total else 1.0


def _chosen(options: argparse.Namespace) -> Iterator[Step]:
    """Programs in an order of chance, a few changes of each."""
    source = random.Random(options.seed)
    names = [name for name in rows() if options.only is None or options.only in name]
    source.shuffle(names)
    left = options.steps
    for name in names:
        found = steps_of(name)
        for step in source.sample(found, min(options.each, len(found), left)):
            left -= 1
            yield step
        if not left:
            return


if __name__ == "__main__":
    sys.exit(main())
