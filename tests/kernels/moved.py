"""What is differentiated in moved.cu."""

from __future__ import annotations

from tests.kernels.case import Case
from tests.kernels.making import half, real, single, zeros

CASES = (
    Case("moved", "floats_as_integers", "x, y", (single(120), zeros(120, "f4"), 120)),
    Case("moved", "doubles_as_vectors", "x, y", (real(120), zeros(120), 120)),
    Case("moved", "changed_on_the_way", "x, y", (single(120), zeros(120, "f4"), 120)),
    Case("moved", "moved_in_place", "x", (single(240), 240)),
    Case("moved", "halves_as_vectors", "x, y", (half(240), zeros(240, "f2"), 240)),
    Case("moved", "eight_halves", "x, y", (half(240), zeros(240, "f2"), 240)),
    Case("moved", "eight_halves_of_a_class", "x, y", (half(240), zeros(240, "f2"), 240)),
)
