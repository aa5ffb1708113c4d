"""docs/errors/pages: what is said of a diagnostic at length, with a program that is refused and one that is not."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest

from cladpy.diagnostics import Diagnostic, DifferentiationError, Severity
from cladpy.explain.page import page
from cladpy.frontend.kokkos import target_of
from cladpy.pipeline import differentiate
from cladpy.source import Source
from tests.packaging.catalogue import PAGES, catalogue
from tests.reject.programs import options_in

WRITTEN = sorted(path.stem for path in PAGES.glob("*.md"))
# What no program of a page's length gives: the machine's limits, what an earlier stage refuses, faults of cladpy.
WITHOUT_PROGRAM = {
    *("CP0007", "CP0009", "CP0010", "CP0011", "CP0012", "CP0213", "CP0401"),
    *("CP0901", "CP0902", "CP0903", "CP0904", "CP9998", "CP9999"),
}
_PROGRAM = re.compile(r"```cpp\n// ([^\n]+)\(([\w:, ]*)\)\n(.*?)```", re.DOTALL)


def _differentiated(function: str, args: str, text: str) -> Iterable[Diagnostic]:
    """What is said when this is differentiated."""
    try:
        source = Source("page.cu", text, None)
        derivative = differentiate(source, function, args, options_in(text), target_of(source))
    except DifferentiationError as error:
        return error.diagnostics
    return derivative.warnings


@pytest.mark.parametrize("code", [code for code in WRITTEN if code not in WITHOUT_PROGRAM])
def test_the_one_is_refused_and_the_other_is_not(code: str) -> None:
    refused, instead = _PROGRAM.findall((PAGES / f"{code}.md").read_text())
    said = {d.code: d.severity for d in _differentiated(*refused)}
    assert code in said
    assert {c for c, severity in said.items() if severity is Severity.ERROR} <= {code}
    after = {d.code: d.severity for d in _differentiated(*instead)}
    assert code not in after
    assert Severity.ERROR not in after.values()


@pytest.mark.parametrize("code", sorted(WITHOUT_PROGRAM))
def test_the_others_say_what_to_do(code: str) -> None:
    text = (PAGES / f"{code}.md").read_text()
    assert "```cpp" not in text
    before, after = (text.index(f"\n{word}") for word in ("Before", "After"))
    assert 0 < before < after


def test_every_diagnostic_has_a_page() -> None:
    assert set(WRITTEN) == set(catalogue())


def test_the_command_shows_it() -> None:
    assert (PAGES / "CP0236.md").read_text().strip() in page("cp0236")
