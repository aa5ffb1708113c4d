"""Barriers within a switch, loops that go on early, and operands."""

import numpy as np

from tests.kernels.case import Case
from tests.kernels.making import real, zeros

X = real(32)
KINDS = np.array([1, 0, 0, 1, 1, 0, 1, 0, 0, 0, 1, 1], np.int32)
CASES = (
    Case("barriers_within", "in_operands", "x, y", (X, X, 3), 1, 32, one_launch=True),
    Case("barriers_within", "in_cases", "x, y", (X, X, 7), 1, 32, one_launch=True),
    Case("barriers_within", "going_on", "x, y", (X, X, 20, 5), 1, 32, one_launch=True),
    Case("barriers_within", "decided_by_calls", "x, y", (real(12), zeros(12), KINDS, 12), 3, 32, one_launch=True),
)
