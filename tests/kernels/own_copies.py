"""What is differentiated in own_copies.cu."""

from __future__ import annotations

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import members, real

OWN = members(scale=0.7, terms=real(3))

CASES = (
    Case("own_copies", "whole", "x, y, own", (X, Y, OWN, N)),
    Case("own_copies", "part", "x, y, own", (X, Y, OWN, 1, N)),
    Case("own_copies", "chosen", "x, y, own", (X, Y, OWN, 1, N)),
    Case("own_copies", "one", "x, y, own", (X, Y, OWN, N)),
    Case("own_copies", "read", "x, y, own", (X, Y, OWN, N)),
    Case("own_copies", "beside", "x, y, own", (X, Y, members(weights=X, terms=real(3)), N)),
)
