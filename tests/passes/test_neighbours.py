"""What is added to several numbers at a time."""

from __future__ import annotations

import re

import pytest

from cladpy.options import Options
from cladpy.pipeline import differentiate
from cladpy.source import Source
from tests.kernels.case import Case
from tests.kernels.neighbours import CASES, TOGETHER


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.function)
def test_what_is_added_together(case: Case) -> None:
    source = Source.load(str(case.path))
    how, counts = TOGETHER[case.function]
    assert _added(differentiate(source, case.function, case.args, Options.make(), "cuda").code, how) == counts
    assert (
        max(_added(differentiate(source, case.function, case.args, Options.make(), "host").code, how), default=1) == 1
    )


def _added(text: str, how: str) -> tuple[int, ...]:
    """To how many cells each call adds."""
    calls = re.findall(rf"cladpy::{how}\((.*?)\);", text, re.DOTALL)
    return tuple(sorted(call.count("&_d_") for call in calls))
