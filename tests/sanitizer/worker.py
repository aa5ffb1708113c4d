"""Runs gradients in a process that the sanitizer has been loaded into. `python -m tests.sanitizer.worker LOG NAME...`
takes names of rows of the table, with PLAIN before one whose atomic additions are to be made plain, and prints a line
of JSON for each."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from cladpy.check.gradient_check import sample
from cladpy.derivative import Derivative
from cladpy.diagnostics import CladpyError
from cladpy.options import Options
from cladpy.pipeline import differentiate
from cladpy.runtime.executor import HostExecutor
from cladpy.runtime.gradient import Gradient
from cladpy.runtime.order import host_workers
from cladpy.source import Source
from tests.kernels.case import Case
from tests.kernels.cases import GRADIENTS

PLAIN = "plain:"
_UPDATE = re.compile(r"cladpy::(?:(?:atomic|reduce|block)_add|grid_add<\d+>)\((&.*), (.*)\);$", re.MULTILINE)


def main(log: str, names: list[str]) -> None:
    """`log` is where the sanitizer writes."""
    rows = {case.id: case for case in GRADIENTS}
    for name in names:
        try:
            with host_workers(False):  # whose threads of a block are a loop, in which nothing races
                found = list(_reports(rows[name.removeprefix(PLAIN)], Path(log), plainly=name.startswith(PLAIN)))
        except CladpyError as error:
            found = [f"{type(error).__name__}: {error}"]
        print(json.dumps({"name": name, "found": found}), flush=True)


def _reports(case: Case, log: Path, *, plainly: bool) -> Iterator[str]:
    derivative = differentiate(Source.load(str(case.path)), case.function, case.args, Options.make(), "host")
    if plainly:
        derivative = _plain(derivative)
    gradient = Gradient(derivative, "host")
    executor = gradient._executor
    assert isinstance(executor, HostExecutor)
    library = executor._loaded().handle
    for ordered in (True, False):
        before = _written(log)
        library.cladpy_order_blocks(int(ordered))
        sample(
            gradient,
            case.grid,
            case.block,
            case.arguments(),
            variables=case.contents(),
            shared_mem=case.shared_mem,
        )
        for report in re.split(r"(?m)^=+$", _written(log)[len(before) :]):
            # on the host all blocks have their shared memory, which is thread-local, in one place
            of_block = "tls_get_addr" in report.partition("Location is")[2].partition("\n\n")[0]
            if "WARNING: ThreadSanitizer" in report and (ordered or not of_block):
                yield _short(report)


def _plain(derivative: Derivative) -> Derivative:
    return replace(derivative, code=_UPDATE.sub(r"*(\1) += \2;", derivative.code))


def _written(log: Path) -> str:
    """All that the sanitizer has said; it adds the number of the process to the file's name."""
    return "".join(p.read_text(errors="replace") for p in sorted(log.parent.glob(f"{log.name}.*")))


def _short(report: str) -> str:
    """What two threads do, and where in the generated code."""
    lines = []
    for line in report.splitlines():
        access = re.match(
            r"\s*((?:Previous |As if synchronized )?(?:atomic )?(?:[Rr]ead|[Ww]rite) of size \d+) at", line
        )
        place = re.search(r"#\d+ (\w+)\(.*unit\.cpp:(\d+)", line)
        thread = re.match(r"\s*Thread T\d+ '(block \d+ thread \d+)'", line)
        if access:
            lines.append(access[1])
        elif place and lines and " in " not in lines[-1]:
            lines[-1] += f" in {place[1]}, line {place[2]}"
        elif thread:
            lines.append(thread[1])
    return "; ".join(lines) or report


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
