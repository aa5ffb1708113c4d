"""Products of matrices that a warp holds together."""

from tests.kernels.case import Case
from tests.kernels.making import half, real, single, zeros

CASES = (
    Case(
        "wmma",
        "product",
        "a, b, c, d, alpha",
        (half(32 * 32), half(48 * 32), single(36 * 40), zeros(36 * 40, "f4"), 32, 32, 32, 0.7),
        (1, 3),
        64,
        one_launch=True,
    ),
    Case("wmma", "of_doubles", "a, b, d", (real(32), real(32), zeros(64)), 1, 32, one_launch=True),
)
