"""docs/errors/pages: what is said of a diagnostic at length, with a program that is refused and one that is not."""

from __future__ import annotations

import re

import pytest

from cladpy.diagnostics import DifferentiationError, Severity
from cladpy.explain.page import page
from cladpy.options import Options
from cladpy.pipeline import differentiate
from cladpy.source import Source
from tests.packaging.catalogue import PAGES, catalogue

WRITTEN = sorted(path.stem for path in PAGES.glob("*.md"))
_PROGRAM = re.compile(r"```cpp\n// ([^\n]+)\(([\w, ]*)\)\n(.*?)```", re.DOTALL)


def _differentiate(function: str, args: str, text: str) -> None:
    differentiate(Source("page.cu", text, None), function, args, Options.make(), "cuda")


@pytest.mark.parametrize("code", WRITTEN)
def test_the_one_is_refused_and_the_other_is_not(code: str) -> None:
    refused, instead = _PROGRAM.findall((PAGES / f"{code}.md").read_text())
    with pytest.raises(DifferentiationError) as caught:
        _differentiate(*refused)
    assert {d.code for d in caught.value.diagnostics if d.severity is Severity.ERROR} == {code}
    _differentiate(*instead)


def test_each_page_is_that_of_a_diagnostic() -> None:
    assert set(WRITTEN) <= set(catalogue())


def test_the_command_shows_it() -> None:
    assert (PAGES / "CP0236.md").read_text().strip() in page("cp0236")
