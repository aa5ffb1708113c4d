"""See `tests.covered`."""

from __future__ import annotations

import argparse
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

import coverage

from tests.command.record import recorded
from tests.covered.count import PACKAGE, Count, counts, of_cladpy
from tests.covered.work import ROOT, TESTS, everything

STAGES = ("ir", "normalize", "analysis", "adjoint", "passes", "variants", "derivatives")
# What is chosen takes what can be taken of these.
CHOSEN_FOR = (*STAGES, "frontend", "emit", "explain")
RANDOM = 100
CHOSEN = Path(__file__).with_name("chosen.txt")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.covered")
    parser.add_argument("--workers", type=int, default=1, help="how many processes share the work")
    parser.add_argument("--chosen", action="store_true", help=f"of the programs only those in {CHOSEN.name}")
    parser.add_argument("--choose", action="store_true", help=f"write {CHOSEN.name} anew")
    parser.add_argument("--at-least", type=float, default=0, help="percent of the stages' branches; less is a failure")
    parser.add_argument("--in-all", type=float, default=0, help="percent of all lines and branches; likewise")
    parser.add_argument("--record", type=Path, help="write what each work came to, for `python -m tests --changed`")
    parser.add_argument("--until", type=float, help="begin no work after that, in seconds since the epoch")
    parser.add_argument("--missing", action="store_true", help="list what was not taken")
    parser.add_argument("--part", help=argparse.SUPPRESS)  # of a process among others: its folder
    options = parser.parse_args()
    if options.part is not None:
        return _part(Path(options.part), which=options.choose, record=options.record is not None, until=options.until)
    works = [w.name for w in everything(RANDOM)]
    programs = CHOSEN.read_text().splitlines() if options.chosen else [name for name in works if name not in TESTS]
    if gone := set(programs) - set(works):
        print(f"{CHOSEN.name} names what is gone: {', '.join(sorted(gone))}; python -m tests.covered --choose")
        return 1
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        how = ["--choose"] if options.choose else ["--record", options.record] if options.record is not None else []
        if options.until is not None:
            how += ["--until", str(options.until)]
        names = [*TESTS, *programs]
        measured, added, status = _side_by_side(names, options.workers, Path(folder), how)
        begun = sum((Path(folder) / str(number)).exists() for number in range(len(names)))
        if options.choose:
            # what was new only because it came early goes; what is left is found last first
            again = Path(folder) / "again"
            again.mkdir()
            found_last_first = [name for name in reversed(added) if name not in TESTS]
            _, needed, _ = _side_by_side([*TESTS, *found_last_first], 1, again, how)
            chosen = sorted(set(needed) - set(TESTS))
            CHOSEN.write_text("".join(f"{name}\n" for name in chosen))
            print(f"{len(chosen)} of {len(programs)} are chosen")
        if options.record is not None:
            recorded(measured.get_data()).write(options.record)
        if options.missing:
            measured.report(show_missing=True, skip_covered=True, include=[str(PACKAGE / "*")])
        found = counts(measured)
    for package, count in found.items():
        print(f"{package}: {count}")
    stages, whole = sum((found[s] for s in STAGES if s in found), Count()), sum(found.values(), Count())
    print(f"all: {whole}, {whole.percent:.2f} % of both")
    print(f"the stages that make the derivative: {stages}, in {time.monotonic() - start:.0f} s")
    if begun < len(names):
        print(f"{begun} of {len(names)} were begun in time: what is asked for is left for another run")
        return status
    enough = stages.percent_of_branches >= options.at_least and whole.percent >= options.in_all
    if not enough:
        print(
            f"{options.at_least} % of the stages' branches and {options.in_all} % of all are asked for: see --missing"
        )
    return 0 if enough and status == 0 else 1


def _side_by_side(
    names: list[str], workers: int, folder: Path, how: list[str]
) -> tuple[coverage.Coverage, list[str], int]:
    """Has processes of their own share the works. What was taken in all, by which something was taken first if that is
    asked for, and a status."""
    (folder / "names").write_text("".join(f"{name}\n" for name in names))
    parts = [folder / f"part{k}" for k in range(workers)]
    running = []
    for part in parts:
        part.mkdir()
        command = [sys.executable, "-m", "tests.covered", "--part", str(part), *map(str, how)]
        with (part / "output").open("w") as output:  # a pipe that nobody reads yet would stop it
            running.append(subprocess.Popen(command, cwd=ROOT, stdout=output, stderr=subprocess.STDOUT))
    measured, added, status = of_cladpy(folder / "all"), [], 0
    for part, process in zip(parts, running, strict=True):
        if process.wait() != 0:
            print((part / "output").read_text())
            status = 1
        data = coverage.CoverageData(str(part / "data"))
        data.read()
        measured.get_data().update(data)
        added += (part / "added").read_text().splitlines()
    return measured, added, status


def _part(part: Path, *, which: bool, record: bool, until: float | None) -> int:
    """Does works that nobody else does, until there is none or no time; writes what was taken, if `record` is asked for
    by which, and if `which` is, what took something first."""
    measured = of_cladpy(part / "data")
    measured.start()  # what is imported is measured as well
    works = {w.name: w for w in everything(RANDOM)}
    measured.stop()
    known, status = 0, 0
    with (part / "added").open("w") as added:
        for number, name in enumerate((part.parent / "names").read_text().splitlines()):
            if until is not None and time.time() > until:
                break
            if not _claimed(part.parent / str(number)):
                continue
            measured.start()
            if record:
                measured.switch_context(name)
            try:
                done = works[name].run()
            finally:
                measured.stop()
            status |= not done
            if which:
                before, known = known, _taken(measured)
                if known > before:
                    print(name, file=added)
    measured.save()
    return status


def _claimed(mark: Path) -> bool:
    """Whether this process is the first to ask."""
    try:
        mark.touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def _taken(measured: coverage.Coverage) -> int:
    """How many arcs between lines have been taken, of what is chosen for."""
    measured.save()
    query = "select path, count(*) from arc join file on file.id = arc.file_id group by path"
    with closing(sqlite3.connect(measured.get_data().data_filename())) as connection:
        return sum(n for path, n in connection.execute(query) if Path(path).relative_to(PACKAGE).parts[0] in CHOSEN_FOR)


if __name__ == "__main__":
    os.environ["PYTHONHASHSEED"] = "0"  # of the parts: the same sets in the same order
    sys.exit(main())
