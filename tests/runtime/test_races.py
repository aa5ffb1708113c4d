"""The race check of the host executor: what it reports and what it lets pass."""

from __future__ import annotations

import ctypes
from pathlib import Path

import numpy as np
import pytest

from cladpy.toolchain import compile_host

FILE = Path(__file__).with_name("executor.cu")


@pytest.fixture(scope="module")
def library() -> ctypes.CDLL:
    flags = ["-DCLADPY_CHECK_RACES", "-Wall", "-Wextra", "-Werror"]
    loaded = ctypes.CDLL(str(compile_host(FILE.read_text(encoding="utf-8"), extra_flags=flags)))
    loaded.cladpy_race_report.restype = ctypes.c_char_p
    return loaded


def report(library: ctypes.CDLL, how: int, blocks: int, order: int) -> str:
    x, y = np.zeros(256), np.zeros(256)
    library.cladpy_race_clear()
    library.cladpy_host_configure(ctypes.c_int(order), ctypes.c_ulonglong(5))
    assert library.run_cells(how, ctypes.c_void_p(x.ctypes.data), ctypes.c_void_p(y.ctypes.data), blocks) == 0
    return str(library.cladpy_race_report().decode())


@pytest.mark.parametrize("order", [0, 1, 2])
@pytest.mark.parametrize(("how", "blocks"), [(0, 2), (2, 1), (3, 3), (5, 2), (7, 2)])
def test_no_race(library: ctypes.CDLL, how: int, blocks: int, order: int) -> None:
    assert report(library, how, blocks, order) == ""


@pytest.mark.parametrize("order", [0, 1, 2])
@pytest.mark.parametrize(
    ("how", "blocks", "words"),
    [
        (1, 1, ("global memory", "writes")),
        (2, 2, ("block 0 ", "block 1 ", "writes")),
        (4, 1, ("updates atomically", "reads")),
        (6, 1, ("shared memory", "writes", "reads")),
        (8, 1, ("shared memory", "writes", "reads")),
        (9, 1, ("global memory", "writes")),
    ],
)
def test_race(library: ctypes.CDLL, how: int, blocks: int, words: tuple[str, ...], order: int) -> None:
    text = report(library, how, blocks, order)
    assert text.startswith("race at ")
    assert all(word in text for word in words), text


def test_a_launch_ends_every_interval(library: ctypes.CDLL) -> None:
    assert report(library, 2, 1, 0) == ""
    x = np.zeros(256)
    for _ in range(2):
        library.run_cells(2, ctypes.c_void_p(x.ctypes.data), ctypes.c_void_p(x.ctypes.data), 1)
    assert library.cladpy_race_report() == b""
