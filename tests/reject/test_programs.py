"""What cannot be differentiated is refused with a code, a place and a hint, in these words; never with a traceback."""

from __future__ import annotations

import re

import pytest

from cladpy.diagnostics import Severity
from tests.packaging.catalogue import catalogue
from tests.reject.programs import FOLDER, answer, golden, names
from tests.reject.test_unreachable import CODES as UNREACHABLE

# No program says more with a hint: the message is one.
WITHOUT_HINT = {"CP0209", "CP0212"}


@pytest.mark.parametrize("name", names())
def test_text(name: str) -> None:
    found = answer(name)
    assert found.text == golden(name).read_text(), "if this is meant: python -m tests.reject"
    assert found.diagnostics
    for diagnostic in found.diagnostics:
        assert diagnostic.span is not None
        assert diagnostic.span.file == f"{name}.cu"
        assert diagnostic.span.line > 0
        warning = diagnostic.code == "CP0307"
        assert diagnostic.severity is (Severity.WARNING if warning else Severity.ERROR)
        assert diagnostic.hint or diagnostic.code in WITHOUT_HINT


def test_every_code_has_a_program() -> None:
    """Codes of the stages after the front end; those of the front end are in tests/frontend, and some here too."""
    pinned = {code for path in FOLDER.glob("*.txt") for code in re.findall(r"\[(CP\d{4})\]", path.read_text())}
    reported = {code for code in catalogue() if "CP0200" <= code < "CP0600"}
    assert reported - pinned - set(UNREACHABLE) == set()
    assert set(UNREACHABLE) & pinned == set(), "there is a program for it now"


def test_no_text_without_a_program() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.txt")) == names()
