"""`python -m tests.by_workers`: every kernel of the table, by workers, against the oracle; exit status 1 where one is
wrong. With `--sanitize` ThreadSanitizer watches the threads of the operating system instead; what the loader does with
the memory of a thread that ends is not ours."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys

from cladpy.diagnostics import CladpyError
from tests.by_workers import ENVIRONMENT, wrong_by_workers
from tests.kernels.cases import GRADIENTS
from tests.sanitizer.running import library

FLAGS = "-O1 -g -fsanitize=thread -DCLADPY_HOST_WORKERS"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.by_workers")
    parser.add_argument("--only", default="", help="rows whose name has this in it")
    parser.add_argument("--part", type=int, nargs=2, default=(0, 1), metavar=("K", "N"), help="the K-th of N parts")
    parser.add_argument("--sanitize", action="store_true", help="look for races between workers")
    options = parser.parse_args()
    cases = [case for case in GRADIENTS if options.only in case.id][options.part[0] :: options.part[1]]
    if options.sanitize:
        return sanitized([case.id for case in cases if case.grid is not None])
    bad = 0
    for case in cases:
        try:
            text = wrong_by_workers(case)
        except (CladpyError, AssertionError) as error:
            text = f"{type(error).__name__}: {error}"
        bad += bool(text)
        if text:
            print(f"{case.id}: {text}", flush=True)
    print(f"{len(cases) - bad} of {len(cases)} right")
    return 1 if bad else 0


def sanitized(names: list[str]) -> int:
    if not library():
        print("there is no ThreadSanitizer here: it comes with GCC")
        return 2
    environment = {
        **os.environ,
        **ENVIRONMENT,
        "CLADPY_HOST_FLAGS": FLAGS,
        "LD_PRELOAD": library(),
        "TSAN_OPTIONS": "exitcode=0:report_signal_unsafe=0",
    }
    command = [sys.executable, "-m", "tests.by_workers.watched", *names]
    done = subprocess.run(command, env=environment, stderr=subprocess.PIPE, text=True, check=False)
    races = [r for r in done.stderr.split("WARNING: ThreadSanitizer")[1:] if "rtld-malloc" not in r]
    for race in races:
        print(race)
    print(f"{len(names)} kernels, {len(races)} races between workers")
    return 1 if races or done.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
