"""`python -m tests.determinism --every K [--python PATH ...]`: see `tests.determinism`."""

from __future__ import annotations

import argparse
import sys

from tests.determinism.comparing import ENVIRONMENTS, differences


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.determinism")
    parser.add_argument("--every", type=int, default=1, help="1 is every program of the tables")
    parser.add_argument("--python", action="append", default=[], help="another Python, with cladpy's dependencies")
    options = parser.parse_args()
    compared, wrong = differences(options.every, options.python)
    print("\n".join(wrong))
    print(f"{compared} texts in {len(ENVIRONMENTS) + len(options.python)} environments, {len(wrong)} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
