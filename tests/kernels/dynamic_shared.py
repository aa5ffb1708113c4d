"""What is differentiated in dynamic_shared.cu."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import real, shaped_in, single, zeros

ALL = real(32)
BODIES = shaped_in(N, (0.0, 1.0), (0.0, 1.0), (0.0, 1.0), (0.5, 1.5), dtype="f4")


def kinds(rng: np.random.Generator) -> np.ndarray:
    made = np.zeros(4, [("kind", "i4"), ("radius", "f4"), ("depth", "f4")])
    made["kind"], made["radius"], made["depth"] = [1, 0, 1, 0], rng.uniform(0.5, 1.5, 4), rng.uniform(0.5, 1.5, 4)
    return made


_CASES = (
    Case("dynamic_shared", "halves", "x, y", (ALL, zeros(32)), 2, 16, shared_mem=256),
    Case("dynamic_shared", "carved", "x, y", (ALL, zeros(32, "f4")), 2, 16, shared_mem=384),
    Case("dynamic_shared", "normalised<double>", "x, y", (X, Y, N), shared_mem=256),
    Case("dynamic_shared", "normalised<float>", "x, y", (single(N), zeros(N, "f4"), N), shared_mem=128),
    Case("dynamic_shared", "attraction", "bodies, force", (BODIES, zeros(N, "f4"), N), shared_mem=512),
    Case("dynamic_shared", "used_again", "x, y", (ALL, zeros(32), 32), 2, 16, shared_mem=128),
    Case("dynamic_shared", "kinds", "of, x, y", (kinds, single(N), zeros(N, "f4"), N), shared_mem=48),
    Case("dynamic_shared", "records", "x, y", (ALL, zeros(32)), 1, 32, shared_mem=32 * 48),
    Case("dynamic_shared", "records_and_numbers", "x, y", (ALL, zeros(32)), 1, 32, shared_mem=32 * (32 + 8)),
    *(
        Case("dynamic_shared", f"cleared<{words}>", "x, y", (ALL, zeros(32)), 2, 16, shared_mem=128)
        for words in ("unsigned long long", "int", "uint4", "char")
    ),
    Case("dynamic_shared", "cleared_by_call", "x, y", (ALL, zeros(32), 128), 2, 16, shared_mem=192),
    Case("dynamic_shared", "either_sign", "x, y", (ALL, zeros(32)), 2, 16, shared_mem=64),
    Case("dynamic_shared", "cleared_together", "x, y", (single(32), zeros(32, "f4")), 2, 16, shared_mem=128),
)

# Their shared memory is made for blocks of these sizes.
CASES = tuple(replace(case, one_launch=True) for case in _CASES)
