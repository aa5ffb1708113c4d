"""What is differentiated in operators.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X, Y

CASES = (
    Case("operators", "arithmetic", "a, b, y", (X, X, Y, N)),
    Case("operators", "compound_local", "a, b, y", (X, X, Y, N)),
    Case("operators", "compound_memory", "a, b", (X, X, N)),
    Case("operators", "increments", "a, y", (X, Y, N)),
    Case("operators", "conditional", "a, b, y", (X, X, Y, N)),
    Case("operators", "logical", "a, b, y", (X, X, Y, N)),
    Case("operators", "chained_assignment", "a, b, y", (X, X, Y, N)),
    Case("operators", "integer_operators", "a, y", (X, Y, N)),
    Case("operators", "comparison_as_number", "a, b, y", (X, X, Y, N)),
    Case("operators", "same_operand", "a, y", (X, Y, N)),
    Case("operators", "store_in_expression", "a, y, z", (X, Y, Y, N)),
    Case("operators", "arithmetic", "a, y", (X, X, Y, N), label="subset"),
)
