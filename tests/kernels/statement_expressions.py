"""What is differentiated in statement_expressions.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import real, zeros

_FILE = "statement_expressions"

CASES = (
    Case(_FILE, "in_expressions", "x, y", (X, Y, N)),
    Case(_FILE, "in_statements", "x, y", (X, Y, N)),
    Case(_FILE, "with_objects", "x, y", (X, Y, N)),
    Case(_FILE, "with_shared<double>", "x, y", (real(32), zeros(32)), 1, 32, shared_mem=256, one_launch=True),
)
