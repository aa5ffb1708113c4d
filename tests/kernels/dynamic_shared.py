"""What is differentiated in dynamic_shared.cu."""

from __future__ import annotations

from dataclasses import replace

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import real, shaped_in, single, zeros

ALL = real(32)
BODIES = shaped_in(N, (0.0, 1.0), (0.0, 1.0), (0.0, 1.0), (0.5, 1.5), dtype="f4")

_CASES = (
    Case("dynamic_shared", "halves", "x, y", (ALL, zeros(32)), 2, 16, shared_mem=256),
    Case("dynamic_shared", "carved", "x, y", (ALL, zeros(32, "f4")), 2, 16, shared_mem=384),
    Case("dynamic_shared", "normalised<double>", "x, y", (X, Y, N), shared_mem=256),
    Case("dynamic_shared", "normalised<float>", "x, y", (single(N), zeros(N, "f4"), N), shared_mem=128),
    Case("dynamic_shared", "attraction", "bodies, force", (BODIES, zeros(N, "f4"), N), shared_mem=512),
    Case("dynamic_shared", "used_again", "x, y", (ALL, zeros(32), 32), 2, 16, shared_mem=128),
)

# Their shared memory is made for blocks of these sizes.
CASES = tuple(replace(case, one_launch=True) for case in _CASES)
