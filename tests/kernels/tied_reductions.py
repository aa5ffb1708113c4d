"""Log-sum-exps of rows in which many numbers are equal, in each type that the ways to find a maximum are for."""

from __future__ import annotations

import numpy as np

from tests.kernels.case import Case
from tests.kernels.making import zeros
from tests.kernels.ties import WHAT, filled

TYPES = {"float": np.float32, "double": np.float64, "__half": np.float16}
ROWS = 2
# By the number of threads: how many ways there are.
FORMS = {"of_warps": (7, 32), "of_blocks": (7, 64)}


def _rows() -> list[Case]:
    found = []
    for function, (forms, threads) in FORMS.items():
        for form in range(forms):
            type, dtype = list(TYPES.items())[form % len(TYPES)]
            for what in WHAT:
                values = (filled(ROWS * threads, what, dtype), zeros(ROWS, np.float32))
                name = f"{function}<{form}, {type}>"
                found.append(
                    Case("tied_reductions", name, "x, y", values, ROWS, threads, what, one_launch=True),
                )
    return found


CASES = tuple(_rows())
