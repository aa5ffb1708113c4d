"""What is differentiated in objects.cu."""

from __future__ import annotations

from tests.kernels.case import Case
from tests.kernels.making import members, real

CASES = (
    Case("objects", "polar", "r, a", (0.7, 0.3), None, None),
    Case("objects", "early", "p, limit", (members(x=0.7, y=0.3), 0.5), None, None),
    Case("objects", "early", "p", (members(x=0.7, y=0.3), 0.9), None, None, label="other_branch"),
    Case("objects", "moments", "v", (real(6), 6), None, None),
)
