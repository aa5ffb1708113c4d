"""What is differentiated in atomics.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import real, single, zeros

_FLOATS = single(N)

CASES = (
    Case("atomics", "counted", "x, y", (X, Y, zeros(6, "i4"), zeros(5, "u4"), zeros(N, "i4"), N)),
    Case("atomics", "counted_by_blocks", "x, y", (X, Y, N)),
    Case("atomics", "until_all_are_small", "x, y", (X, Y, N)),
    Case("atomics", "swapped_sum", "x, bins", (X, real(5), N)),
    Case("atomics", "swapped_difference", "x, w, y", (_FLOATS, single(3), single(4), N)),
    Case("atomics", "swapped_float", "x, total", (_FLOATS, single(1), N)),
    Case("atomics", "scopes", "x, v, y, z", (X, _FLOATS, zeros(4), zeros(1, "f4"), N), one_launch=True),
    Case("atomics", "beside_a_maximum", "x, y", (_FLOATS, zeros(N, "f4"), zeros(1, "f4"), N)),
)
