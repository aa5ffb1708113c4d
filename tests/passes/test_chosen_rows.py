"""Which sums lanes of a warp may meet at."""

from __future__ import annotations

import pytest

from cladpy.options import Options
from cladpy.pipeline import differentiate
from cladpy.source import Source
from tests.kernels.case import Case
from tests.kernels.chosen_rows import CASES, MEETING


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.function)
def test_what_numbers_in_memory_choose(case: Case) -> None:
    source = Source.load(str(case.path))
    for target, count in (("cuda", MEETING[case.function]), ("host", 0)):
        text = differentiate(source, case.function, case.args, Options.make(), target).code
        assert text.count("cladpy::meeting_add(") == count
