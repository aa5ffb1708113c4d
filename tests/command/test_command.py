"""What the test command chooses: kinds of gradients, what a change touches, the order and the end of a run."""

from __future__ import annotations

import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from unittest import mock

import pytest

from cladpy import pipeline
from cladpy.emit.unit import emit
from tests.command import changed, quick, steps
from tests.command.choose import Row, chosen, name_of
from tests.command.kinds import kinds_of
from tests.command.record import ROOT, Record, functions_of
from tests.covered import __main__ as covered
from tests.covered.count import Count
from tests.covered.work import TESTS
from tests.kernels.cases import CASES as KERNELS
from tests.programs.cases import CASES as PROGRAMS

MODULE = """import os


@first
def one(a):
    def inner():
        return a
    return inner


CONSTANT = 1


class Some:
    field: int = 0

    def two(self):
        return 2
"""


def test_lines_belong_to_the_functions_that_others_name() -> None:
    found = functions_of(MODULE)
    assert [found.get(n) for n in (1, 4, 5, 7, 8, 11, 15, 17, 18)] == [
        None, "one", "one", "one", "one", None, None, "Some.two", "Some.two",
    ]  # fmt: skip


def test_a_record_is_read_as_it_was_written(tmp_path: Path) -> None:
    record = Record({"a.py:f": frozenset({"x", "y"}), "a.py:g": frozenset({"y", "z"})})
    record.write(tmp_path / "some" / "record.json")
    assert Record.read(tmp_path / "some" / "record.json") == record
    assert Record.read(tmp_path / "none.json") is None


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / "cladpy" / "ir").mkdir(parents=True)
    (tmp_path / "cladpy" / "ir" / "some.py").write_text(MODULE)
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        names = ["-c", "user.name=A", "-c", "user.email=a@b.c"]
        subprocess.run(["git", *names, *command], cwd=tmp_path, check=True)
    return tmp_path


@pytest.mark.parametrize(
    "old, new, functions",
    [
        ("return 2", "return 3", {"Some.two"}),
        ("return a", "return a + 1", {"one"}),
        ("CONSTANT = 1", "CONSTANT = 2", {""}),
        ("    def two(self):\n        return 2\n", "", {"Some.two"}),
        ("CONSTANT", "def new():\n    pass\n\n\nCONSTANT", {"new", ""}),
    ],
)
def test_functions_that_changed(repository: Path, old: str, new: str, functions: set[str]) -> None:
    file = PurePosixPath("cladpy/ir/some.py")
    (repository / file).write_text(MODULE.replace(old, new))
    with mock.patch.object(changed, "ROOT", repository):
        assert changed.changed_files("HEAD") == [file]
        found = changed.changed_functions("HEAD", file)
    assert {f"{file}:{name}" for name in functions} <= found <= {f"{file}:{name}" for name in {*functions, ""}}


def test_a_change_touches_who_came_to_it() -> None:
    case = KERNELS[0]
    program = f"{case.path.relative_to(ROOT)} {case.function}({case.args})"
    file = PurePosixPath("cladpy/ir/some.py")
    record = Record({f"{file}:one": frozenset({"tests/ir/test_walk.py", f"{program} split=True"})})
    with mock.patch.object(changed, "changed_functions", lambda commit, file: {f"{file}:one", f"{file}:new"}):
        assert set(changed.touched([file], "HEAD", record)) == {"tests/ir/test_walk.py", name_of(case)}
    with mock.patch.object(changed, "changed_functions", lambda commit, file: {f"{file}:"}):
        assert set(changed.touched([file], "HEAD", record)) == {"tests/ir/test_walk.py", name_of(case)}


@pytest.mark.parametrize(
    "file, name",
    [
        ("tests/ir/test_walk.py", "tests/ir/test_walk.py"),
        ("tests/reject/programs/directive.cu", "tests/reject"),
        ("docs/math.md", "tests/packaging"),
        ("tests/kernels/ties.cu", name_of(next(c for c in KERNELS if c.file == "ties"))),
        ("templates/unit.gpu.j2", quick.names()[0]),
        ("cladpy/emit/unit.py", "tests/emitted"),
    ],
)
def test_files_have_tests(file: str, name: str) -> None:
    assert name in changed.touched([PurePosixPath(file)], "HEAD", None)


def test_what_is_chosen_has_every_kind() -> None:
    def row(name: str, file: str, kinds: str, lines: int) -> Row:
        return Row(name, file, frozenset(kinds), lines)

    rows = [row("a", "f", "ab", 100), row("b", "f", "bc", 100), row("c", "g", "abc", 5000), row("d", "g", "d", 10)]
    assert {r.name for r in chosen(rows)} == {"a", "b", "d"}


def test_the_chosen_rows_are_there() -> None:
    known = {name_of(case) for case in (*KERNELS, *PROGRAMS)}
    assert set(quick.names()) <= known
    assert set((ROOT / "tests" / "command" / "long.txt").read_text().split()) <= set(TESTS)
    for step in steps.quick():
        for name in step.arguments:
            if name.startswith("tests/"):
                assert (ROOT / name.partition("::")[0]).is_file(), name


def test_kinds_of_a_gradient() -> None:
    case = next(c for c in KERNELS if c.id == "math-exponential")
    found = []
    with mock.patch.object(
        pipeline, "emit", lambda gradient, *a, **k: (found.append(gradient), emit(gradient, *a, **k))[1]
    ):
        pipeline.differentiate(
            pipeline.Source.load(case.path), case.function, case.args, pipeline.Options.make(), "host"
        )
    kinds = kinds_of(found[0])
    assert {"core.Load", "core.Store", "code.Define"} <= kinds and any(k.startswith("rule ") for k in kinds)


FILES = {
    "test_a.py": "def test_1(): pass\ndef test_2(): pass\n",
    "test_b.py": "def test_3(): pass\n",
    "test_c.py": "def test_4(): pass\n",
}


def run(folder: Path, *arguments: str) -> str:
    for name, text in FILES.items():
        (folder / name).write_text(text)
    command = [sys.executable, "-m", "pytest", "-v", "-p", "no:cacheprovider", "-p", "no:xdist", "-c", "/dev/null"]
    how = ["--rootdir", str(folder), "-p", "tests.command.plugin", *arguments, str(folder)]
    return subprocess.run([*command, *how], cwd=ROOT, capture_output=True, text=True, check=False).stdout


def test_what_comes_first_and_last(tmp_path: Path) -> None:
    (tmp_path / "first.txt").write_text("test_c.py\n")
    orders = set()
    for drawn in ("one", "two", "three", "four"):
        printed = run(tmp_path, "--first", str(tmp_path / "first.txt"), "--drawn", drawn)
        order = [name for line in printed.splitlines() for name in FILES if f"{name}::" in line]
        assert order[0] == "test_c.py" and len(order) == 4, printed
        orders.add(tuple(order))
    assert len(orders) == 2


def test_what_has_no_time_is_named(tmp_path: Path) -> None:
    printed = run(tmp_path, "--until", str(time.time() - 1))
    assert "test_a.py: 2" in printed and "4 skipped" in printed


def test_each_part_of_the_rest_comes_first_for_some_commits(monkeypatch: pytest.MonkeyPatch) -> None:
    firsts = set()
    for head in "abcdefgh":
        monkeypatch.setattr(steps, "_git", lambda *arguments, head=head: head)
        both = steps.rest(time.time() - 1)
        assert {step.name for step in both} == {"coverage", "pytest"}
        assert all("--until" in step.arguments for step in both)
        firsts.add(both[0].name)
    assert firsts == {"coverage", "pytest"}


@dataclass
class Noted:
    """A work that notes that it was done."""

    name: str
    done: list[str]

    def run(self) -> bool:
        self.done.append(self.name)
        return True


@pytest.mark.parametrize("late", [False, True])
def test_branches_that_had_no_time_are_not_judged(
    late: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    done: list[str] = []
    works = [Noted(name, done) for name in TESTS]

    def in_this_process(names: list[str], workers: int, folder: Path, how: list[str]) -> tuple[object, list[str], int]:
        (folder / "names").write_text("\n".join(names))
        (folder / "part0").mkdir()
        until = float(how[how.index("--until") + 1])
        return mock.Mock(), [], covered._part(folder / "part0", which=False, record=False, until=until)

    monkeypatch.setattr(covered, "everything", lambda _: works)
    monkeypatch.setattr(covered, "of_cladpy", lambda _: mock.Mock())
    monkeypatch.setattr(covered, "_side_by_side", in_this_process)
    monkeypatch.setattr(covered, "counts", lambda _: {"analysis": Count(branches=100, branches_taken=50)})
    until = str(time.time() + (-1 if late else 1000))
    monkeypatch.setattr(sys, "argv", ["covered", "--at-least", "98", "--until", until])
    status, said = covered.main(), capsys.readouterr().out
    assert (status, done) == ((0, []) if late else (1, [*TESTS]))
    assert ("left for another run" in said) == late and ("are asked for" in said) != late
