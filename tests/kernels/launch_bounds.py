"""Whose number of slots the host knows by bounds: see cladpy/adjoint/launch_bounds.py."""

from tests.kernels.case import Case
from tests.kernels.making import indices, real, zeros

_OF = indices(40, 6)

CASES = (
    Case("launch_bounds", "triangle", "x, y", (5, 20, real(100), zeros(160)), 2, 96, one_launch=True),
    Case("launch_bounds", "up_to", "x, y", (40, 5, _OF, real(40), real(40)), 2, 24, one_launch=True),
    Case("launch_bounds", "inside", "x, y", (40, 4, real(40), zeros(40)), 2, 24),
    Case("launch_bounds", "chunks", "x, y", (45, 6, real(48), real(8)), 2, 4, one_launch=True),
    Case("launch_bounds", "unknown", "x, y", (40, 5, _OF, real(40), zeros(40)), 2, 24),
    Case("launch_bounds", "shifted", "x, y", (40, -2, real(40), real(40)), 2, 24),
    Case("launch_bounds", "differences", "x, y", (40, 5, real(40), zeros(40)), 2, 24),
)
