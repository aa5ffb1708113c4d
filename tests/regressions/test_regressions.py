"""Whatever random programs have ever found stays found: against the oracle, without a race, without a warning."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.keep import PROGRAMS, load
from tests.fuzz.trial import RIGHT, Trial


@pytest.mark.parametrize("path", sorted(PROGRAMS.glob("*.cu")), ids=lambda path: path.stem)
def test_program(path: Path) -> None:
    program, why, seed = load(path)
    outcome = Trial(seed, races=True, warnings=True).run(program)
    assert outcome.kind == RIGHT, f"{why}: {outcome.text}"
