"""What is differentiated in shared_vectors.cu."""

from __future__ import annotations

from tests.kernels.case import Case
from tests.kernels.making import real, single, zeros

CASES = (
    Case("shared_vectors", "transposed", "in, out", (zeros(128), real(256)), 2, (8, 8), one_launch=True),
    Case("shared_vectors", "turned", "place, force", (zeros(60, "f4"), single(180), 60), 2, 32, one_launch=True),
    Case("shared_vectors", "by_address", "in, out", (zeros(64), real(64)), 2, 32, one_launch=True),
    Case("shared_vectors", "summed", "in, out", (zeros(8, "f4"), single(64)), 2, 32, one_launch=True),
    Case("shared_vectors", "gathered", "in, out", (zeros(64), real(50), 50), 2, 32, one_launch=True),
)
