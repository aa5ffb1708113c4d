"""Rows of neighbouring elements are added as a warp does it, by lanes that fold theirs onto each other, on the host."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from cladpy.toolchain import compile_host

TEXT = """
#define CLADPY_ROWS_BY_WARPS
#include <cladpy/host.h>
#include <cladpy/support.h>

template <bool along, int count>
static void added(float *cells, int step, int threads) {
  cladpy::host::launch(dim3(1, 1, 1), dim3(threads, 1, 1), 0, nullptr, [&] {
    float row[count];
    for (int i = 0; i < count; ++i) row[i] = (threadIdx.x * 5 + i * i) % 11;
    if (along) cladpy::add_row_along(cells + threadIdx.x * step, row);
    else cladpy::add_row(cells + threadIdx.x * step, row);
  });
}
#define ROWS(n) \\
  extern "C" void rows##n(float *c, int step, int threads) { added<false, n>(c, step, threads); } \\
  extern "C" void along##n(float *c, int step, int threads) { added<true, (n < 32 ? n : 32)>(c, step, threads); }
"""
COUNTS = (1, 2, 3, 4, 5, 9, 16, 17, 32, 33, 40, 64)
LIBRARY: dict[str, ctypes.CDLL] = {}


def library() -> ctypes.CDLL:
    if not LIBRARY:
        LIBRARY[""] = ctypes.CDLL(str(compile_host(TEXT + "".join(f"ROWS({n})\n" for n in COUNTS))))
    return LIBRARY[""]


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("form", ["rows", "along"])
@pytest.mark.parametrize(("step", "threads"), [(0, 32), (1, 32), (2, 32), (0, 20), (1, 50), (0, 96)])
def test_each_element_is_added_once(form: str, count: int, step: int, threads: int) -> None:
    cells = np.zeros(300, np.float32)
    getattr(library(), f"{form}{count}")(cells.ctypes.data_as(ctypes.c_void_p), step, threads)
    expected = np.zeros(300)
    length = count if form == "rows" else min(count, 32)
    for thread in range(threads):
        for i in range(length):
            expected[thread * step + i] += (thread * 5 + i * i) % 11
    assert np.array_equal(cells, expected)
