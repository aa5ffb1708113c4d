"""What is differentiated in short_tiles.cu."""

from __future__ import annotations

from tests.kernels.case import Case
from tests.kernels.making import indices, real, zeros

N = 80  # two tiles and a half

CASES = (
    Case("short_tiles", "counted", "x, y", (real(N), indices(N, N), zeros(64), N), 2, 32, one_launch=True),
    Case("short_tiles", "blended", "x, w, y", (real(N), real(N), zeros(64), 3, N), 2, (8, 4), one_launch=True),
    Case("short_tiles", "in_pairs", "x, y", (real(N), zeros(64), N), 2, 32, one_launch=True),
    Case("short_tiles", "stale", "x, y", (real(N), zeros(64), N), 2, 32, one_launch=True),
    Case("short_tiles", "one_more", "x, y", (real(N), zeros(64), N), 2, 32, one_launch=True),
    Case("short_tiles", "elsewhere", "x, y", (real(N), indices(32, N), zeros(64), N), 2, 32, one_launch=True),
    Case("short_tiles", "unsigned_counts", "x, y", (real(N), zeros(64), N), 2, 32, one_launch=True),
    Case("short_tiles", "clouds", "x, points, y", (real(24), real(720), zeros(72), 3, 80), 2, 24, one_launch=True),
    Case("short_tiles", "left_by_longer", "x, y", (real(N), zeros(48), N), 2, 24, one_launch=True),
)
