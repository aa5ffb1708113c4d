"""What data chooses is added as a warp does it, where lanes that meet at an element add up first, on the host."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from cladpy.toolchain import compile_host

TEXT = """
#define CLADPY_MEETINGS_BY_WARPS
#include <cladpy/host.h>
#include <cladpy/support.h>

extern "C" void added(double *cells, const int *ids, int threads) {
  cladpy::host::launch(dim3(1, 1, 1), dim3(threads, 1, 1), 0, nullptr, [&] {
    if (ids[threadIdx.x] >= 0) cladpy::meeting_add(cells + ids[threadIdx.x], 1.0 + threadIdx.x);
  });
}
"""
LIBRARY: dict[str, ctypes.CDLL] = {}


@pytest.mark.parametrize("threads", [1, 20, 32, 80])
@pytest.mark.parametrize("rows", [1, 2, 5, 31, 1000])
@pytest.mark.parametrize("left", [False, True])
def test_each_element_has_the_sum_of_its_lanes(threads: int, rows: int, left: bool) -> None:
    if not LIBRARY:
        LIBRARY[""] = ctypes.CDLL(str(compile_host(TEXT)))
    for seed in range(5):
        rng = np.random.default_rng(seed)
        ids = rng.integers(-1 if left else 0, rows, threads).astype(np.int32)
        cells, expected = np.zeros(rows), np.zeros(rows)
        given = (cells.ctypes.data_as(ctypes.c_void_p), ids.ctypes.data_as(ctypes.c_void_p), threads)
        LIBRARY[""].added(*given)
        for thread, row in enumerate(ids):
            if row >= 0:
                expected[row] += 1.0 + thread
        assert np.array_equal(cells, expected)
