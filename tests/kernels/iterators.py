"""What is differentiated in iterators.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import indices

CASES = (Case("iterators", "iterators", "x, y", (X, indices(N, N), Y, N)),)
