"""What cannot be differentiated is refused with a code, a place and a hint, in these words; never with a traceback."""

from __future__ import annotations

import re

import pytest

from cladpy.diagnostics import Severity
from tests.golden import golden, names
from tests.packaging.catalogue import catalogue
from tests.reject.programs import FOLDER, answer
from tests.reject.test_unreachable import CODES as UNREACHABLE

# Nothing is known that would help; what clang says stands for itself.
WITHOUT_HINT = {"CP0001"}
# What is wrong with the request, and not with a line of the program.
WITHOUT_PLACE = {"CP0002", "CP0003"}
# Pinned in tests/frontend: nesting that is too deep, textures, and what takes another standard or a member function.
IN_FRONT_END = {"CP0007", "CP0009", "CP0110", "CP0118"}
# Pinned in tests/cli: what takes too long. In tests/robustness: numbers as long as a page. In tests/toolchain: what the
# host's compiler says.
ELSEWHERE = {"CP0010", "CP0011", "CP0012"}


@pytest.mark.parametrize("name", names(FOLDER))
def test_text(name: str) -> None:
    found = answer(name)
    assert found.text == golden(FOLDER, name), "if this is meant: python -m tests.golden"
    assert found.diagnostics
    for diagnostic in found.diagnostics:
        if diagnostic.code not in WITHOUT_PLACE:
            assert diagnostic.span is not None
            assert diagnostic.span.file == f"{name}.cu"
            assert diagnostic.span.line > 0
        warning = diagnostic.code in ("CP0015", "CP0241", "CP0307", "CP0312", "CP0320", "CP0408")
        assert diagnostic.severity is (Severity.WARNING if warning else Severity.ERROR)
        assert diagnostic.hint or diagnostic.code in WITHOUT_HINT


def test_every_code_has_a_program() -> None:
    """But for those of the oracle, which has its own tests."""
    pinned = {code for path in FOLDER.glob("*.txt") for code in re.findall(r"\[(CP\d{4})\]", path.read_text())}
    reported = {code for code in catalogue() if code < "CP0900"}
    assert reported - pinned - set(UNREACHABLE) - IN_FRONT_END - ELSEWHERE == set()
    assert set(UNREACHABLE) & pinned == set(), "there is a program for it now"


def test_no_text_without_a_program() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.txt")) == names(FOLDER)
