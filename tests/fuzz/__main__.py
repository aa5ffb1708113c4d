"""`python -m tests.fuzz --count N --seed S`: random programs through the check, the watch for races and the compiler's
warnings; exit status 1 where one fails."""

from __future__ import annotations

import argparse
import collections
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tests.fuzz.keep import PROGRAMS, load, save
from tests.fuzz.reduce import Reducer
from tests.fuzz.trial import FAILURES, RIGHT, Job, Outcome, Trial
from tests.fuzz.workers import Pool
from tests.generator import GeneratedProgram, generate, generate_block, generate_program

FORMS = {"threads": generate, "blocks": generate_block, "programs": generate_program}
# Of ten programs: kernels of host programs are many times slower to try.
TURNS = ("threads", "blocks", "threads", "blocks", "threads", "blocks", "threads", "blocks", "threads", "programs")
SIZES = {"threads": 30, "blocks": 30, "programs": 12}


def main() -> int:
    options = _options()
    if options.reduce:
        return _reduce_file(options)
    counts: collections.Counter[str] = collections.Counter()
    weak = compared = 0
    failed = []
    start = time.monotonic()
    with Pool(options.workers, options.seconds) as pool:
        for (form, seed), outcome in pool.all(_jobs(options)):
            counts[outcome.kind] += 1
            weak, compared = weak + outcome.weak, compared + outcome.compared
            if outcome.kind in FAILURES:
                failed.append((form, seed, outcome))
            if outcome.kind != RIGHT:
                text = outcome.text.strip() if outcome.kind in FAILURES else outcome.text.strip().splitlines()[0]
                print(f"{form} {seed}: {outcome.kind}: {text}", flush=True)
            done = sum(counts.values())
            if done % 100 == 0:
                print(f"{done} done in {time.monotonic() - start:.0f} s: {dict(counts)}", flush=True)
        if not options.as_found:
            for form, seed, outcome in failed:
                _reduced(pool, options, form, seed, outcome)
    print(f"{counts[RIGHT]}/{sum(counts.values())} right in {time.monotonic() - start:.0f} s; {dict(counts)}")
    print(f"{compared} comparisons, of which {weak} could not tell much (chaotic programs)")
    return 1 if failed else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--form", choices=tuple(FORMS), help="one form only; else all, host programs one in ten")
    parser.add_argument("--size", type=int, help="statements, about")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=120.0, help="that one program may take")
    parser.add_argument("--races", type=int, default=10, metavar="K", help="watch one kernel in K for races; 0: none")
    parser.add_argument(
        "--warnings", type=int, default=10, metavar="K", help="one in K has to compile without warnings"
    )
    parser.add_argument("--keep", type=Path, default=PROGRAMS, help="where minimal programs go")
    parser.add_argument("--as-found", action="store_true", help="do not reduce")
    parser.add_argument("--effort", type=float, default=900.0, help="seconds for the reduction of one program")
    parser.add_argument("--reduce", type=Path, metavar="FILE", help="reduce a program that was kept before")
    return parser.parse_args()


def _jobs(options: argparse.Namespace) -> Iterator[tuple[tuple[str, int], Job]]:
    for seed in range(options.seed, options.seed + options.count):
        form = options.form or TURNS[seed % len(TURNS)]
        yield (form, seed), Job(_trial(options, seed), _program(options, form, seed))


def _program(options: argparse.Namespace, form: str, seed: int) -> GeneratedProgram:
    return FORMS[form](seed, options.size or SIZES[form])


def _trial(options: argparse.Namespace, seed: int) -> Trial:
    """Which seeds are looked at closer has nothing to do with their forms."""
    turn = seed // len(TURNS) + seed
    return Trial(
        seed,
        races=options.races > 0 and turn % options.races == 0,
        warnings=options.warnings > 0 and turn % options.warnings == 1 % options.warnings,
    )


def _reduced(pool: Pool, options: argparse.Namespace, form: str, seed: int, outcome: Outcome) -> None:
    program = _program(options, form, seed)
    _reduce(pool, options, program, f"{form}_{seed}", seed, outcome)


def _reduce(
    pool: Pool, options: argparse.Namespace, program: GeneratedProgram, name: str, seed: int, outcome: Outcome
) -> None:
    trial = Trial(seed, races=outcome.kind == "race", warnings=outcome.kind == "compile")
    reducer = Reducer(lambda p: pool.one(Job(trial, p)).same == outcome.same, options.effort)
    small = reducer.reduce(program)
    why = f"{outcome.kind}: {outcome.sign}" if outcome.sign else outcome.kind
    path = save(small, name, why, seed, options.keep)
    print(f"\n{name}: {why}; {len(small.text.splitlines())} lines after {reducer.tried} trials: {path}")
    print(small.text)
    print(f"// args {small.args}; grid {small.grid}, block {small.block}", flush=True)


def _reduce_file(options: argparse.Namespace) -> int:
    program, _, seed = load(options.reduce)
    with Pool(1, options.seconds) as pool:
        outcome = pool.one(Job(Trial(seed, races=True, warnings=True), program))
        if outcome.kind == RIGHT:
            print(f"{options.reduce}: it does not fail")
            return 0
        _reduce(pool, options, program, options.reduce.stem, seed, outcome)
    return 1


if __name__ == "__main__":
    sys.exit(main())
