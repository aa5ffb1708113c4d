"""What is differentiated in functions.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import real, single, zeros

CASES = (
    *(
        Case("functions", name, "x, y", (X, Y, N))
        for name in (
            "nested_values",
            "pointers_to_locals",
            "by_reference",
            "stores_in_callee",
            "early_return_in_callee",
            "switch_in_callee",
            "local_array_to_callees",
            "hashed_gather",
            "discarded_result",
            "null_pointer",
        )
    ),
    Case("functions", "global_pointers", "a, b, y", (real(4 * N), real(4), Y, N, 4)),
    Case("functions", "global_pointers", "b, y", (real(4 * N), real(4), Y, N, 4), label="shared_only"),
    Case("functions", "same_callee_local_and_global", "a, b, y", (X, real(4), Y, N, 4)),
    Case("functions", "builtins_in_callee", "in, out, val", (real(64), zeros(64), 0.7)),
    Case("functions", "conversions_at_calls", "x, w, y", (X, single(N), Y, N)),
    Case("functions", "spelled_by_the_compiler", "x, w, y", (X, single(N), Y, N)),
    Case("functions", "output_parameters", "x, y, z", (X, Y, Y, N)),
    Case("functions", "namespaces_and_templates", "x, w, y", (X, single(N), Y, N)),
    Case("functions", "template_kernel<double, 3>", "x, y", (X, Y, N)),
    Case("functions", "template_kernel<float, 4>", "x, y", (single(N), zeros(N, "f4"), N)),
)
