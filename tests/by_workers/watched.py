"""Runs gradients by workers in a process that ThreadSanitizer has been loaded into: `python -m tests.by_workers.watched
NAME...` takes names of rows of the table. What the sanitizer finds it writes itself."""

from __future__ import annotations

import sys

import cladpy
from cladpy.check.runs import Runs
from cladpy.diagnostics import CladpyError
from tests.kernels.cases import GRADIENTS


def main(names: list[str]) -> int:
    rows = {case.id: case for case in GRADIENTS}
    failed = 0
    for name in names:
        case = rows[name]
        print(f"row {name}", file=sys.stderr, flush=True)
        try:
            gradient = cladpy.gradient(str(case.path), case.function, case.args, backend="host")
            runs = Runs(gradient, case.grid, case.block, case.arguments(), 0, case.shared_mem, case.contents())
            for _ in range(3):
                runs.run_gradient("workers")
        except CladpyError as error:
            failed += 1
            print(f"{name}: {error}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
