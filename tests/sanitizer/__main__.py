"""`python -m tests.sanitizer`: every kernel of the table under ThreadSanitizer; exit status 1 where one has a race."""

from __future__ import annotations

import argparse
import sys

from tests.kernels.cases import GRADIENTS
from tests.sanitizer.running import library, races


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.sanitizer")
    parser.add_argument("--only", default="", help="rows whose name has this in it")
    parser.add_argument("--part", type=int, nargs=2, default=(0, 1), metavar=("K", "N"), help="the K-th of N parts")
    options = parser.parse_args()
    if not library():
        print("there is no ThreadSanitizer here: it comes with GCC")
        return 2
    names = [case.id for case in GRADIENTS if case.grid is not None and options.only in case.id]
    names = names[options.part[0] :: options.part[1]]
    bad = 0
    for name, found in races(names):
        bad += bool(found)
        for text in found:
            print(f"{name}: {text}", flush=True)
    print(f"{len(names) - bad} of {len(names)} kernels without a race")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
