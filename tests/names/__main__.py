"""`python -m tests.names [--every N] [--target host|cuda] [--match RE]`: each N-th program of the tables with its
parameters and locals called as what its gradient says. Writes what is wrong, and how much was tried."""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from pathlib import Path

from cladpy.diagnostics import CladpyError
from tests.kernels.cases import GRADIENTS
from tests.names.judging import compile_all, found_to_differ
from tests.names.renaming import copies_of
from tests.programs.cases import CASES as PROGRAMS


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.names")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--target", choices=("host", "cuda"), default="host")
    parser.add_argument("--match", default="")
    parser.add_argument("--compile", action="store_true", help="compile the copies, too")
    options = parser.parse_args()
    chosen = [c for c in (*GRADIENTS, *PROGRAMS) if re.search(options.match, c.id)][options.first :: options.every]
    tried = names = wrong = 0
    for case in chosen:
        try:
            original, copies = copies_of(case, options.target)
        except (CladpyError, AssertionError) as error:
            print(f"{case.id}: {str(error).splitlines()[:1]}", flush=True)
            continue
        tried, names = tried + 1, names + sum(len(copy.names) for copy in copies)
        found = found_to_differ(case, original, copies)
        if options.compile and copies:
            with tempfile.TemporaryDirectory() as folder:
                result = compile_all(copies, options.target, Path(folder))
            found += [] if result else [f"{case.id}: {result.output[:2000]}"]
        wrong += len(found)
        for text in found:
            print(text, flush=True)
    print(f"{tried} programs of {len(chosen)}, {names} names: {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
