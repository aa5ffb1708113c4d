"""What is differentiated in control.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import indices

CASES = (
    *(
        Case("control", name, "x, y", (X, Y, N))
        for name in (
            "branches",
            "early_return",
            "return_in_nested_loops",
            "break_and_continue",
            "while_loop",
            "do_loop",
            "switch_fallthrough",
            "switch_default_first",
            "switch_in_loop",
            "loop_in_switch_in_loop",
            "inner_bound_from_data",
            "several_loop_variables",
            "nothing_runs",
            "carried_through_branches",
            "chosen_by_bits",
        )
    ),
    Case("control", "data_dependent_trips", "x, y", (X, indices(N, 12), Y, N)),
    Case("control", "declared_in_condition", "x, y", (X, indices(N, 12), Y, N)),
    Case("control", "nonlinear_state", "x, y", (X, Y, N, 25)),
    Case("control", "nonlinear_state", "x, y", (X, Y, N, 0), label="no_steps"),
)
