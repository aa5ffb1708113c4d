"""What is differentiated in moved.cu."""

from __future__ import annotations

from tests.kernels.case import Case
from tests.kernels.making import half, indices, real, single, zeros

CASES = (
    Case("moved", "floats_as_integers", "x, y", (single(120), zeros(120, "f4"), 120)),
    Case("moved", "doubles_as_vectors", "x, y", (real(120), zeros(120), 120)),
    Case("moved", "changed_on_the_way", "x, y", (single(120), zeros(120, "f4"), 120)),
    Case("moved", "moved_in_place", "x", (single(240), 240)),
    Case("moved", "halves_as_vectors", "x, y", (half(240), zeros(240, "f2"), 240)),
    Case("moved", "eight_halves", "x, y", (half(240), zeros(240, "f2"), 240)),
    Case("moved", "eight_halves_of_a_class", "x, y", (half(240), zeros(240, "f2"), 240)),
    Case("moved", "out_of_dynamic", "x, y", (single(128), zeros(128, "f4")), 1, shared_mem=512, one_launch=True),
    Case("moved", "into_dynamic", "x, y", (half(256), zeros(256, "f2")), 1, shared_mem=512, one_launch=True),
    Case("moved", "declared_as_vectors", "x, y", (single(128), zeros(128, "f4")), 1, shared_mem=512, one_launch=True),
    Case(
        "moved",
        "integers_behind",
        "x, y",
        (single(32), indices(32, 9), zeros(32, "f4")),
        1,
        shared_mem=640,
        one_launch=True,
    ),
    Case("moved", "made_as_floats", "x, y", (single(128), zeros(128, "f4")), 1, one_launch=True),
    Case("moved", "made_as_pairs", "x, y", (half(256), zeros(256, "f2")), 1, one_launch=True),
    Case("moved", "cleared", "x, y", (single(64), zeros(64, "f4"), 5), 2, 32),
    Case("moved", "cleared_for_all", "x, y", (single(64), zeros(64, "f4")), 2, 32, one_launch=True),
)
