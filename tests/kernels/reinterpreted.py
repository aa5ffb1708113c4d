"""What is differentiated in reinterpreted.cu."""

from __future__ import annotations

import numpy as np

from tests.kernels.case import Case, N, X, Y
from tests.kernels.making import indices, real, shaped, single, single_rows, zeros

VEC = shaped(N, 3)
SQUARE = np.dtype({"names": ["flat", "at"], "formats": [("f8", 4), ("f8", (2, 2))], "offsets": [0, 0], "itemsize": 32})
WEIGHTED = np.dtype([("weight", "f4"), ("count", "i4")])
ENTRY = np.dtype([("value", "f4"), ("times", "i4")])
ANCHOR = np.dtype([("at", "u2"), ("level", "u2"), ("tag", "i2"), ("spare", "i2")])
HELD = np.dtype({"names": ["n", "square"], "formats": ["i4", SQUARE], "offsets": [0, 8], "itemsize": 40})


def _held(rng: np.random.Generator) -> np.ndarray:
    found = np.zeros(32, HELD)
    found["n"], found["square"]["flat"] = rng.integers(0, 4, 32), rng.uniform(0.2, 1.2, (32, 4))
    return found


def _weighted(rng: np.random.Generator) -> np.ndarray:
    found = np.zeros(N, WEIGHTED)
    found["weight"], found["count"] = rng.uniform(0.2, 1.2, N), rng.integers(0, 4, N)
    return found


def _anchors(rng: np.random.Generator) -> np.ndarray:
    found = np.zeros(N, ANCHOR)
    found["at"], found["level"], found["tag"] = rng.integers(0, N, N), rng.integers(0, 4, N), rng.integers(-3, 4, N)
    return found


def _words(rng: np.random.Generator) -> np.ndarray:
    return rng.integers(0, 2**32, N + 1, dtype=np.uint32)


def _bytes(rng: np.random.Generator) -> np.ndarray:
    return rng.integers(0, 256, 4 * N + 8, dtype=np.uint8)


def _bonds(rng: np.random.Generator) -> np.ndarray:
    return rng.integers(0, 32, 96).astype(np.uint32)


CASES = (
    Case("reinterpreted", "floats_as_vectors", "x, y", (single(N), zeros(N, "f4"), N)),
    Case("reinterpreted", "members_as_array", "v, y", (VEC, Y, N)),
    Case("reinterpreted", "array_of_objects_as_numbers", "v, scale", (VEC, 0.7, N)),
    Case("reinterpreted", "union_of_forms", "x, y", (X, Y, N)),
    Case("reinterpreted", "bits_by_pointer", "x, y", (X, single(N), Y, N)),
    Case("reinterpreted", "rows_by_bytes", "in, out", (single(64), zeros(64, "f4"), 64, 14, 4)),
    Case("reinterpreted", "objects_by_bytes", "in, out", (single(256), zeros(60, "f4"), 256, 15, 4), (1, 4), (16, 1)),
    Case("reinterpreted", "through_other_sizes", "x, y", (X, Y, N)),
    Case("reinterpreted", "distance_of_vectors", "x, y", (single_rows(N, 4), zeros(N, "f4"), N)),
    Case("reinterpreted", "counted_bytes", "x, y", (real(3 * N), Y, N, 16, 2)),
    Case("reinterpreted", "there_and_back", "v, y", (VEC, Y, N)),
    Case("reinterpreted", "given_as_others", "v, y", (VEC, np.arange(N, dtype="i4"), Y, N)),
    Case("reinterpreted", "squares", "s, y", (real(4 * 32), zeros(4 * 32)), 1, 32, one_launch=True),
    Case("reinterpreted", "in_objects", "h, y", (_held, zeros(32)), 1, 32, one_launch=True),
    Case("reinterpreted", "bonds", "x, y", (_bonds, single(32), zeros(32, "f4")), 1, 32, one_launch=True),
    Case("reinterpreted", "pairs_as_fours", "in, out", (single_rows(4 * N, 2), single_rows(4 * N, 2), N)),
    Case("reinterpreted", "triples_as_pairs", "t, y", (single_rows(2 * N, 3), indices(N, 3 * N), zeros(N, "f4"), N)),
    Case("reinterpreted", "same_form", "w, e", (_weighted, lambda _: np.zeros(N, ENTRY), N)),
    Case(
        "reinterpreted",
        "moved_as_words",
        "w, y, e",
        (_anchors, _weighted, zeros(N, "f4"), lambda _: np.zeros(N, ENTRY), N),
        one_launch=True,
    ),
    Case("reinterpreted", "bytes_as_words", "x, y", (_bytes, single(32), zeros(32, "f4")), 1, 32, one_launch=True),
    Case("reinterpreted", "parts_of_words", "x, y", (_words, _bytes, X, Y, N)),
    Case("reinterpreted", "by_integers", "x, y", (single(N), zeros(N, "f4"), N)),
    Case("reinterpreted", "two_in_float4", "x, y", (X, Y, N)),
)
