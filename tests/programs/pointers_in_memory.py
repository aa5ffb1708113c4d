"""Buffers that are made in loops and kept, and pointers to them in memory."""

import numpy as np

from tests.kernels.making import real
from tests.programs.case import Program

X = real(20)
WIDTHS = np.array([3, 4, 5, 2], dtype=np.int32)
CASES = (
    Program("pointers_in_memory", "replaced", "x, rate", (X, 0.05, 20, 4)),
    Program("pointers_in_memory", "snapshots", "x, rate", (X, 0.05, 20, 5)),
    Program("pointers_in_memory", "rows", "x", (real(6), 6, 4)),
    Program("pointers_in_memory", "layered", "x, w", (real(3), real(16 + 25 + 12), WIDTHS, 3)),
    Program("pointers_in_memory", "nested", "x", (real(5), 5)),
    Program("pointers_in_memory", "list", "x", (real(6), 6)),
    Program("pointers_in_memory", "owned", "x, rate", (X, 0.05, 20, 3)),
    Program("pointers_in_memory", "tables", "x", (real(5), 5)),
)
