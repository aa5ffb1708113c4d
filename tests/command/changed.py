"""What a change may touch: `python -m tests --changed [COMMIT]`.

A change is what differs from a commit: the one that the branch left its upstream at, or HEAD where it has none. Tests
that changed are run, with those of the rows of the tables that did. For code of the package the record says which
works came to the functions that changed: files of tests, and programs whose rows are run, of which some few for each
function are enough. Where nothing is recorded, and for what no Python function is (templates, headers), it is the tests
of the stage by its name, and the rows of the shortest run.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable
from pathlib import PurePosixPath

from tests.command import quick
from tests.command.choose import name_of
from tests.command.record import ROOT, Record, functions_of
from tests.covered.work import TESTS
from tests.kernels.case import Case
from tests.kernels.cases import CASES as KERNELS
from tests.programs.cases import CASES as PROGRAMS

EACH = 3  # rows for each function that changed
_ROOMS = {"emit": "emitted"}  # where tests have another name than their stage
_HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_CASES: tuple[Case, ...] = (*KERNELS, *(p for p in PROGRAMS if not p.refused))


def since(commit: str | None) -> str:
    """The commit that is compared with."""
    if commit is not None:
        return _git("rev-parse", "--verify", f"{commit}^{{commit}}").strip()
    try:
        return _git("merge-base", "HEAD", "@{upstream}").strip()
    except subprocess.CalledProcessError:
        return "HEAD"


def changed_files(commit: str) -> list[PurePosixPath]:
    """What differs from the commit, and what git does not know yet."""
    known = _git("diff", "--name-only", commit).splitlines()
    new = _git("ls-files", "--others", "--exclude-standard").splitlines()
    return [PurePosixPath(name) for name in dict.fromkeys([*known, *new])]


def changed_functions(commit: str, file: PurePosixPath) -> set[str]:
    """The functions, by their names in the record, whose lines differ; with an empty name for lines of no function."""
    before = _text_at(commit, file)
    after = (ROOT / file).read_text() if (ROOT / file).is_file() else ""
    old, new = functions_of(before), functions_of(after)
    found: set[str] = set()
    for line in _git("diff", "-U0", commit, "--", str(file)).splitlines():
        if hunk := _HUNK.match(line):
            at, count, to, added = (int(n) if n is not None else 1 for n in hunk.groups())
            found |= {old.get(n, "") for n in range(at, at + count)} | {new.get(n, "") for n in range(to, to + added)}
    return {f"{file}:{name}" for name in found}


def touched(files: Iterable[PurePosixPath], commit: str, record: Record | None) -> list[str]:
    """The tests, as pytest names them: files, and rows of the tables."""
    found: dict[str, None] = {}
    for file in files:
        found.update(dict.fromkeys(_tests_of(file)))
        if file.parts[0] == "cladpy" and file.suffix == ".py":
            if record is None:
                found.update(dict.fromkeys(_of_stage(file)))
            else:
                found.update(dict.fromkeys(_takers(changed_functions(commit, file), record)))
        elif file.parts[0] in ("cladpy", "templates", "custom_derivatives"):
            found.update(dict.fromkeys(_of_stage(file)))
    whole = {name for name in found if "[" not in name}
    return [name for name in found if name in whole or name.partition("::")[0] not in whole]


def _tests_of(file: PurePosixPath) -> list[str]:
    """What a file of the tests or of the documents is for."""
    if file.parts[0] in ("docs", "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "pyproject.toml"):
        return ["tests/packaging"]
    if file.parts[0] != "tests" or len(file.parts) == 1:
        return []
    if file.name.startswith("test_") and file.suffix == ".py":
        return [str(file)] if (ROOT / file).is_file() else []
    if file.parts[1] in ("kernels", "programs") and len(file.parts) == 3:
        rows = [name_of(c) for c in _CASES if c.path.stem == file.stem and c.path.parent.name == file.parts[1]]
        if rows or file.suffix != ".py":
            return rows
    room = ROOT / "tests" / file.parts[1]
    there = room.is_dir() and any(room.rglob("test_*.py"))
    return [f"tests/{file.parts[1]}"] if there else quick.names()


def _of_stage(file: PurePosixPath) -> list[str]:
    """The tests of a stage by its name, and the rows of the shortest run."""
    room = f"tests/{_ROOMS.get(file.parts[1], file.parts[1])}"
    return [*([room] if file.parts[0] == "cladpy" and (ROOT / room).is_dir() else []), *quick.names()]


def _takers(functions: set[str], record: Record) -> list[str]:
    """Tests that came to one of the functions, and rows of programs such that some came to each."""
    rows = {f"{c.path.relative_to(ROOT)} {c.function}({c.args})": name_of(c) for c in _CASES}
    found: dict[str, None] = {}
    wanted: list[frozenset[str]] = []
    for function in sorted(functions):
        file, _, name = function.partition(":")
        if name and function in record.takers:
            wanted.append(record.takers[function])
        elif not name:  # what a module says outside of its functions is for all of them
            wanted += [works for other, works in record.takers.items() if other.startswith(f"{file}:")]
    for works in wanted:
        found.update(dict.fromkeys(w for w in works if w in TESTS))
        programs = sorted({w.partition(")")[0] + ")" for w in works if w not in TESTS} & set(rows))
        there = sum(rows[p] in found for p in programs)
        fresh = [rows[p] for p in programs if rows[p] not in found]
        found.update(dict.fromkeys(fresh[: max(0, EACH - there)]))
    return list(found)


def _text_at(commit: str, file: PurePosixPath) -> str:
    try:
        return _git("show", f"{commit}:{file}")
    except subprocess.CalledProcessError:  # it is new
        return ""


def _git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True).stdout
