"""Kernels and functions that are named by tables, objects and parameters."""

from tests.kernels.making import real
from tests.programs.case import Program

X = real(8)
CASES = (
    *(Program("tables", f, "x, y", (X, X, 8)) for f in ("by_table", "in_turn", "by_member", "by_parameter")),
    *(Program("tables", "by_index", "x, y", (X, X, 8, which), label=str(which)) for which in (0, 1, 2)),
    Program("tables", "on_host", "x", (X, 8)),
)
