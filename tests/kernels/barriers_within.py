"""Barriers within a switch, loops that go on early, and operands."""

from tests.kernels.case import Case
from tests.kernels.making import real

X = real(32)
CASES = (
    Case("barriers_within", "in_operands", "x, y", (X, X, 3), 1, 32, one_launch=True),
    Case("barriers_within", "in_cases", "x, y", (X, X, 7), 1, 32, one_launch=True),
    Case("barriers_within", "going_on", "x, y", (X, X, 20, 5), 1, 32, one_launch=True),
)
