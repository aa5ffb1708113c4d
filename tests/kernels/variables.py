"""What is differentiated in variables.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X, Y

CASES = (
    Case("variables", "read_variables", "x, y, weights, bias, table, fixed, scale, gravity", (X, Y, N)),
    Case("variables", "read_variables", "y, model::weights", (X, Y, N), label="subset"),
    Case("variables", "write_variables", "x, temporary, bias, result", (X, N)),
    Case("variables", "overwrite_variable", "x, y, result, total", (X, Y, N)),
    Case("variables", "hidden_variable", "x, y, bias, ::bias, weights", (X, Y, 1.3, N)),
    Case("variables", "chosen_variable", "x, y, temporary, result", (X, Y, N)),
    Case("variables", "host_variable", "x, counted_on_host", (0.8,), None, None),
)
