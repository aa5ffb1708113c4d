"""What is differentiated in sides.cu, on numbers apart from its kinks, and on few different ones."""

import numpy as np

from tests.kernels.case import Case, N
from tests.kernels.making import real, zeros
from tests.kernels.ties import filled

ROWS, COLUMNS = 20, 7

CASES = (
    Case("sides", "by_choices", "x, y", (real(N, -1.0, 1.0), zeros(N), N)),
    Case("sides", "by_functions", "x, y", (real(N, -1.0, 1.0), zeros(N), N)),
    Case("sides", "chosen_again", "x, w, y", (real(N, -1.0, 1.0), real(N, -1.0, 1.0), zeros(N), N)),
    *(
        case
        for what in ("few", "different")
        for case in (
            Case("sides", "joined", "x, y", (filled(N, what), zeros(N), N), label=what),
            Case("sides", "called", "x, w, y", (filled(N, what), filled(N, what), zeros(N), N), label=what),
            Case("sides", "clamped", "x, y", (filled(N, what, np.float32), zeros(N, np.float32), N), label=what),
            *(
                Case("sides", name, "x, y", (filled(ROWS * COLUMNS, what), zeros(ROWS), ROWS, COLUMNS), label=what)
                for name in ("by_index", "by_marks")
            ),
            Case("sides", "by_lanes", "x, y", (filled(32, what), zeros(32)), 1, 32, what, one_launch=True),
        )
    ),
)
