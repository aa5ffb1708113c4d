"""Parameters and locals that are called as what emitted code says: see `renaming`. `python -m tests.names` does so with
all the programs of the tables."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.kernels.case import Case
from tests.kernels.cases import GRADIENTS
from tests.names.judging import compile_all, found_to_differ
from tests.names.renaming import copies_of, differs
from tests.programs.cases import CASES as PROGRAMS

ALL = bool(os.environ.get("CLADPY_TEST_ALL"))
# Of each kind of file that is laid out one: calls, a tape on the stack and in a workspace, states, classes, sums of a
# block's own, cells, columns, lanes; host programs.
CHOSEN = (
    ("talk-kernel_with_nested_device_call", "host"),
    ("control-several_loop_variables", "host"),
    ("control-while_loop", "cuda"),
    ("control-nonlinear_state", "cuda"),
    ("classes-fields", "host"),
    ("enums-modes", "host"),
    ("talk-launch", "host"),
    ("talk-launch_scaled", "cuda"),
)
EVERY = {case.id: case for case in (*GRADIENTS, *PROGRAMS)}


@pytest.mark.parametrize(("name", "target"), CHOSEN)
def test_copies(name: str, target: str, tmp_path: Path) -> None:
    case: Case = EVERY[name]
    original, copies = copies_of(case, target)
    assert sum(len(copy.names) for copy in copies) > 10
    assert [differs(original.fragment, copy.derivative.fragment) for copy in copies] == [""] * len(copies)
    if target == "host" or ALL:
        result = compile_all(copies, target, tmp_path)
        assert result, result.output


def test_a_variable_that_is_taken_for_another_is_seen() -> None:
    text = "void f(int x, int n) {\n  int y = x + n;\n}\n"
    assert differs(text, text.replace("y", "z").replace("n)", "_n)").replace("n;", "_n;")) == ""
    assert differs(text, text.replace("y", "n")) != ""
    assert differs(text, text.replace("n;", "x;")) != ""
    assert found_to_differ(EVERY["talk-launch"], *copies_of(EVERY["talk-launch"], "host", 1)) == []
