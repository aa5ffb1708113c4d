"""`python -m tests.fuzz --count N --seed S`: random programs through the check, the watch for races and the compiler's
warnings; exit status 1 where one fails.

`--kinks`: programs that choose among equal numbers, see `tests/sides.py`.

`--seconds T --output DIR` in place of `--count` goes on until the time is over, with `DIR/summary.json` and the
programs that failed written all the while."""

from __future__ import annotations

import argparse
import itertools
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import cladpy
from tests import precompiled
from tests.fuzz.keep import PROGRAMS, load, save
from tests.fuzz.ledger import Ledger
from tests.fuzz.reduce import Reducer
from tests.fuzz.trial import FAILURES, RIGHT, Job, Outcome, Trial
from tests.fuzz.workers import Pool
from tests.generator import FORMS, FORMS_AT_KINKS, GeneratedProgram, generate_at_kinks

# Of ten programs: kernels of host programs are many times slower to try.
TURNS = (
    "threads", "blocks", "patterns", "threads", "blocks", "patterns", "threads", "steps", "patterns", "programs",
)  # fmt: skip
# At kinks, programs of a few statements: what large ones do wrong small ones do.
TURNS_AT_KINKS = ("patterns", "threads", "patterns", "blocks")
SIZE_AT_KINKS = {"patterns": 3, "threads": 8, "blocks": 8}


def main() -> int:
    options = _options()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # with what is known on paper
    _warm()
    if options.reduce:
        return _reduce_file(options)
    ledger = Ledger(options.output, options.seed)
    with Pool(options.workers, options.limit) as pool:
        try:
            for (form, seed, program), outcome in pool.all(_jobs(options)):
                ledger.note(form, seed, program, outcome)
                _show(ledger, form, seed, outcome)
        finally:
            ledger.write()
        if not (options.as_found or options.seconds):
            for form, seed, outcome in ledger.failed:
                _reduced(pool, options, form, seed, outcome)
    print(ledger.text())
    return 1 if ledger.failed else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seconds", type=float, help="go on for so long, whatever --count says; what fails is kept")
    parser.add_argument(
        "--form", choices=tuple(FORMS), action="append", help="these forms in turn; else host programs one in five"
    )
    parser.add_argument(
        "--kinks",
        action="store_true",
        help="choices among equal numbers, zeros and denormals, judged by one-sided derivatives",
    )
    parser.add_argument("--size", type=int, help="statements, about")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--limit", type=float, default=120.0, help="seconds that one program may take")
    parser.add_argument("--races", type=int, default=10, metavar="K", help="watch one kernel in K for races; 0: none")
    parser.add_argument(
        "--warnings", type=int, default=10, metavar="K", help="one in K has to compile without warnings"
    )
    parser.add_argument("--output", type=Path, metavar="DIR", help="where a summary and the programs that fail go")
    parser.add_argument("--keep", type=Path, default=PROGRAMS, help="where minimal programs go")
    parser.add_argument("--as-found", action="store_true", help="do not reduce")
    parser.add_argument("--effort", type=float, default=900.0, help="seconds for the reduction of one program")
    parser.add_argument("--reduce", type=Path, metavar="FILE", help="reduce a program that was kept before")
    options = parser.parse_args()
    if options.kinks and not FORMS_AT_KINKS.keys() >= set(options.form or ()):
        parser.error(f"--kinks: the forms are {', '.join(FORMS_AT_KINKS)}")
    return options


def _warm() -> None:
    """Loads here what every program's process would load: clang, the rules, the templates, compiled headers."""
    precompiled.flags(precompiled.PROGRAM)
    for code in ("__global__ void k(double *x) { x[0] *= x[0]; }", "#include <vector>\nvoid k(double *x) { *x *= 2; }"):
        cladpy.gradient(code, "k", "x", backend="host")


def _jobs(options: argparse.Namespace) -> Iterator[tuple[tuple[str, int, GeneratedProgram], Job]]:
    end = time.monotonic() + (options.seconds or 0.0)
    for seed in itertools.count(options.seed):
        if time.monotonic() > end if options.seconds else seed >= options.seed + options.count:
            return
        turns = options.form or (TURNS_AT_KINKS if options.kinks else TURNS)
        form = turns[seed % len(turns)]
        program = _program(options, form, seed)
        yield (form, seed, program), Job(_trial(options, seed), program)


def _show(ledger: Ledger, form: str, seed: int, outcome: Outcome) -> None:
    if outcome.kind != RIGHT:
        text = outcome.text.strip()
        print(
            f"{form} {seed}: {outcome.kind}: {text if outcome.kind in FAILURES else text.splitlines()[0]}", flush=True
        )
    done = ledger.counts.total()
    if done % 100 == 0:
        print(f"{done} done in {ledger.seconds:.0f} s: {dict(ledger.counts)}", flush=True)


def _program(options: argparse.Namespace, form: str, seed: int) -> GeneratedProgram:
    if options.kinks:
        return generate_at_kinks(form, seed, options.size or SIZE_AT_KINKS[form])
    return FORMS[form](seed, options.size) if options.size else FORMS[form](seed)


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
    with Pool(1, options.limit) as pool:
        outcome = pool.one(Job(Trial(seed, races=True, warnings=True), program))
        if outcome.kind == RIGHT:
            print(f"{options.reduce}: it does not fail")
            return 0
        _reduce(pool, options, program, options.reduce.stem, seed, outcome)
    return 1


if __name__ == "__main__":
    sys.exit(main())
