"""`python -m tests.generator --seed S --count N`: the gradients of N random kernels through the check."""

from __future__ import annotations

import argparse
import sys
import traceback

from cladpy.diagnostics import CladpyError
from tests.generator import FORMS, GeneratedProgram
from tests.oracle import check_random
from tests.races.watched import Watched, watched_derivative


def _race(program: GeneratedProgram) -> str:
    watched = Watched(watched_derivative(program.text, program.function, program.args, **program.options))
    return watched.report(program.grid, program.block, program.values, shared_mem=program.shared_mem)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.generator")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--size", type=int, help="statements, about")
    parser.add_argument("--backend", default="host", choices=("host", "cuda"))
    parser.add_argument("--form", default="threads", choices=tuple(FORMS))
    parser.add_argument("--races", action="store_true", help="watch all accesses to adjoints too, on the host")
    parser.add_argument("--show", action="store_true", help="print the program and do not run it")
    options = parser.parse_args()
    failed = []
    make = FORMS[options.form]
    for seed in range(options.seed, options.seed + options.count):
        program = make(seed, options.size) if options.size else make(seed)
        if options.show:
            print(program.text)
            print(f"// args {program.args}; grid {program.grid}, block {program.block}")
            continue
        try:
            report = check_random(program, seed, backend=options.backend)
            raced = _race(program) if options.races else ""
        except CladpyError as error:
            failed.append(seed)
            print(f"seed {seed}: {type(error).__name__}: {error}")
        except Exception:
            failed.append(seed)
            print(f"seed {seed}:")
            traceback.print_exc(file=sys.stdout)
        else:
            if raced or not report.ok:
                failed.append(seed)
            print(f"seed {seed}: {report.text()}", *([raced] if raced else []), flush=True)
    if not options.show:
        print(f"{options.count - len(failed)}/{options.count} right" + (f"; failed: {failed}" if failed else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
