"""See `tests.covered`."""

from __future__ import annotations

import argparse
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import coverage

from tests.covered.count import PACKAGE, Count, counts, of_cladpy
from tests.covered.work import ROOT, everything

STAGES = ("ir", "normalize", "analysis", "adjoint", "derivatives")
RANDOM = 100
CHOSEN = Path(__file__).with_name("chosen.txt")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.covered")
    parser.add_argument("--workers", type=int, default=1, help="how many parts are done side by side")
    parser.add_argument("--chosen", action="store_true", help=f"only what is in {CHOSEN.name}")
    parser.add_argument("--choose", action="store_true", help=f"write {CHOSEN.name} anew")
    parser.add_argument("--at-least", type=float, default=0, help="percent of the stages' branches; less is a failure")
    parser.add_argument("--missing", action="store_true", help="list what was not taken")
    parser.add_argument("--part", help=argparse.SUPPRESS)  # K/N NAMES FILE, of a process among others
    options = parser.parse_args()
    if options.part is not None:
        return _part(Path(options.part))
    works = {w.name for w in everything(RANDOM)}
    names = CHOSEN.read_text().splitlines() if options.chosen else sorted(works)
    if gone := [name for name in names if name not in works]:
        print(f"{CHOSEN.name} names what is gone: {', '.join(gone)}; python -m tests.covered --choose")
        return 1
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        measured, added, status = _side_by_side(names, options.workers, Path(folder))
        if options.choose:
            # what was new only because it came early goes; what is left is found last first
            again = Path(folder) / "again"
            again.mkdir()
            _, needed, _ = _side_by_side(added[::-1], 1, again)
            CHOSEN.write_text("".join(f"{name}\n" for name in sorted(needed)))
            print(f"{len(needed)} of {len(works)} are chosen")
        if options.missing:
            measured.report(show_missing=True, skip_covered=True, include=[str(PACKAGE / "*")])
        found = counts(measured)
    for package, count in found.items():
        print(f"{package}: {count}")
    stages = sum((found[s] for s in STAGES if s in found), Count())
    print(f"all: {sum(found.values(), Count())}")
    print(f"the stages that make the derivative: {stages}, in {time.monotonic() - start:.0f} s")
    if stages.percent < options.at_least:
        print(f"{stages.percent:.2f} % is less than {options.at_least:.2f} %; with --missing it says what is not taken")
    return 1 if status != 0 or stages.percent < options.at_least else 0


def _side_by_side(names: list[str], workers: int, folder: Path) -> tuple[coverage.Coverage, list[str], int]:
    """Runs them in processes of their own. What was taken in all, by which something was taken first, and a status."""
    parts = [folder / f"part{k}" for k in range(workers)]
    running = []
    for k, part in enumerate(parts):
        part.with_suffix(".names").write_text("".join(f"{name}\n" for name in names[k::workers]))
        command = [sys.executable, "-m", "tests.covered", "--part", str(part)]
        piped = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        running.append(subprocess.Popen(command, cwd=ROOT, **piped))  # type: ignore[call-overload]
    measured, added, status = of_cladpy(folder / "all"), [], 0
    for part, process in zip(parts, running, strict=True):
        output, _ = process.communicate()
        if process.returncode != 0:
            print(output)
            status = 1
        data = coverage.CoverageData(str(part))
        data.read()
        measured.get_data().update(data)
        added += part.with_suffix(".added").read_text().splitlines()
    return measured, added, status


def _part(file: Path) -> int:
    """Runs what `file`.names says; writes what was taken to `file`, and to `file`.added what took something first."""
    measured = of_cladpy(file)
    measured.start()  # what is imported is measured as well
    works = {w.name: w for w in everything(RANDOM)}
    measured.stop()
    known, status = 0, 0
    with file.with_suffix(".added").open("w") as added:
        for name in file.with_suffix(".names").read_text().splitlines():
            measured.start()
            try:
                done = works[name].run()
            finally:
                measured.stop()
            status |= not done
            before, known = known, _taken(measured)
            if known > before:
                print(name, file=added)
    measured.save()
    return status


def _taken(measured: coverage.Coverage) -> int:
    """How many arcs between lines have been taken."""
    measured.save()
    connection = sqlite3.connect(measured.get_data().data_filename())
    try:
        return int(connection.execute("select count(*) from arc").fetchone()[0])
    finally:
        connection.close()


if __name__ == "__main__":
    os.environ["PYTHONHASHSEED"] = "0"  # of the parts: the same sets in the same order
    sys.exit(main())
