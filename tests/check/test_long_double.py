"""The oracle against central differences in long double, to eleven digits. With CLADPY_TEST_ALL in the environment all
kernels of the table that can be run so; else every sixteenth."""

from __future__ import annotations

import os

import pytest

from tests.check.extended import Extended, fits
from tests.kernels.case import Case
from tests.kernels.cases import GRADIENTS

FITTING = [case for case in GRADIENTS if fits(case)]
CHOSEN = FITTING if os.environ.get("CLADPY_TEST_ALL") else FITTING[::16]
BOUND = 1e-11


def test_there_are_kernels_for_it() -> None:
    assert len(FITTING) > 80


@pytest.mark.parametrize("case", CHOSEN, ids=lambda case: case.id)
def test_oracle(case: Case) -> None:
    error, size = Extended(case).compare()
    assert size > 0
    assert error <= BOUND
