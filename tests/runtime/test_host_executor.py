"""Kernels on the CPU: indices, barriers, warp operations, orders, and failures that are reported."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from cladpy.toolchain import compile_host

FILE = Path(__file__).with_name("executor.cu")
ORDERS = {"forward": 0, "reverse": 1, "random": 2}
FULL = 0xFFFFFFFF


@pytest.fixture(scope="module", params=["own switch", "ucontext"])
def library(request: pytest.FixtureRequest) -> ctypes.CDLL:
    flags = ["-Wall", "-Wextra", "-Werror"] + (["-DCLADPY_HOST_UCONTEXT"] if request.param == "ucontext" else [])
    loaded = ctypes.CDLL(str(compile_host(FILE.read_text(encoding="utf-8"), extra_flags=flags)))
    loaded.cladpy_host_error.restype = ctypes.c_char_p
    return loaded


@pytest.fixture(params=list(ORDERS))
def order(library: ctypes.CDLL, request: pytest.FixtureRequest) -> Iterator[str]:
    configure(library, request.param, 11)
    yield request.param
    configure(library, "forward", 0)


def configure(library: ctypes.CDLL, order: str, seed: int) -> None:
    library.cladpy_host_configure(ctypes.c_int(ORDERS[order]), ctypes.c_ulonglong(seed))


def data(array: np.ndarray) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


@pytest.mark.usefixtures("order")
@pytest.mark.parametrize(
    ("grid", "block"),
    [((1, 1, 1), (1, 1, 1)), ((3, 1, 1), (33, 1, 1)), ((2, 3, 2), (4, 3, 5)), ((1, 1, 7), (1, 16, 64))],
)
def test_every_thread_runs_once_with_its_indices(
    library: ctypes.CDLL, grid: tuple[int, int, int], block: tuple[int, int, int]
) -> None:
    size = int(np.prod(grid) * np.prod(block))
    out = np.zeros(size, np.int32)
    assert library.run_index_of(data(out), data(np.array(grid, np.uint32)), data(np.array(block, np.uint32))) == 0
    assert np.array_equal(out, np.arange(1, size + 1))


def sequence(library: ctypes.CDLL, order: str, seed: int) -> list[int]:
    out, following = np.zeros(24, np.int32), np.zeros(1, np.int32)
    configure(library, order, seed)
    assert library.run_sequence(data(out), data(following), 4, 6) == 0
    configure(library, "forward", 0)
    return [int(v) for v in out]


def test_orders_of_blocks_and_threads(library: ctypes.CDLL) -> None:
    assert sequence(library, "forward", 0) == list(range(24))
    assert sequence(library, "reverse", 0) == list(range(23, -1, -1))
    shuffled = sequence(library, "random", 1)
    assert sorted(shuffled) == list(range(24))
    assert shuffled != list(range(24))
    assert shuffled == sequence(library, "random", 1)
    assert shuffled != sequence(library, "random", 2)
    blocks = [shuffled[6 * k] // 6 for k in range(4)]
    assert len({tuple(v - 6 * b for v in shuffled[6 * k : 6 * k + 6]) for k, b in enumerate(blocks)}) > 1


def test_the_random_order_changes_at_each_barrier(library: ctypes.CDLL) -> None:
    out, following = np.zeros(5 * 16, np.int32), np.zeros(1, np.int32)
    configure(library, "random", 3)
    assert library.run_interval_orders(data(out), data(following), 16, 5) == 0
    configure(library, "forward", 0)
    rows = [tuple(row) for row in out.reshape(5, 16)]
    assert all(sorted(row) == list(range(16)) for row in rows)
    assert len(set(rows)) == 5


@pytest.mark.usefixtures("order")
def test_barriers_and_shared_memory(library: ctypes.CDLL) -> None:
    x, out = np.arange(512.0), np.zeros(4)
    assert library.run_block_sum(data(x), data(out), 4) == 0
    assert np.array_equal(out, x.reshape(4, 128).sum(1))


def test_shared_memory_holds_no_number_at_first_in_random_order(library: ctypes.CDLL) -> None:
    """On a device it holds anything. Zero, as on a host, would hide what was not set to zero."""
    found = {}
    for order in ORDERS:
        y = np.zeros(8)
        configure(library, order, 5)
        assert library.run_unwritten(data(y)) == 0
        found[order] = bool(np.isnan(y).all())
    configure(library, "forward", 0)
    assert found == {"forward": False, "reverse": False, "random": True}


def test_one_order_hides_a_missing_barrier_that_the_others_show(library: ctypes.CDLL) -> None:
    right = {}
    for order in ORDERS:
        x = np.zeros(64, np.int32)
        configure(library, order, 1)
        assert library.run_missing_barrier(data(x)) == 0
        right[order] = np.array_equal(x, np.arange(64))
    configure(library, "forward", 0)
    assert right == {"forward": True, "reverse": False, "random": False}


@pytest.mark.usefixtures("order")
def test_dynamic_shared_memory(library: ctypes.CDLL) -> None:
    x = np.arange(1000, dtype=np.int32)
    assert library.run_reverse_dynamic(data(x), 1000, 4000) == 0
    assert np.array_equal(x, np.arange(999, -1, -1))


@pytest.mark.usefixtures("order")
def test_barriers_with_predicates_count_only_threads_that_have_not_ended(library: ctypes.CDLL) -> None:
    out = np.full((70, 3), -1, np.int32)
    assert library.run_counts(data(out), 70, 41) == 0
    assert np.array_equal(out[:41], np.tile([20, 1, 1], (41, 1)))
    assert (out[41:] == -1).all()


@pytest.mark.usefixtures("order")
@pytest.mark.parametrize("threads", [32, 33, 96])
@pytest.mark.parametrize("width", [32, 8])
def test_shuffles(library: ctypes.CDLL, threads: int, width: int) -> None:
    v, out = np.arange(threads) + 100.0, np.zeros((threads, 4))
    assert library.run_shuffles(data(out), data(v), threads, width) == 0
    for t in range(threads):
        segment = t - t % 32 % width
        there = {k for k in range(t - t % 32, min(threads, t - t % 32 + 32))}
        segment_lanes = range(segment, segment + width)
        expected = [
            segment + 3 if segment + 3 in there else t,
            t - 2 if t - 2 in segment_lanes else t,
            t + 2 if t + 2 in segment_lanes and t + 2 in there else t,
            t ^ 1 if (t ^ 1) in there else t,
        ]
        assert list(out[t]) == [100.0 + e for e in expected], t


@pytest.mark.usefixtures("order")
def test_votes_matches_and_reductions_of_two_groups(library: ctypes.CDLL) -> None:
    out = np.zeros((64, 8), np.uint32)
    assert library.run_votes(data(out), 64) == 0
    thirds = sum(1 << k for k in range(0, 32, 3))
    for t in range(64):
        lane = t % 32
        low = lane < 8
        mask = 0xFF if low else 0xFFFFFF00
        lanes = range(8) if low else range(8, 32)
        assert out[t, 0] == thirds & mask
        assert out[t, 1] == int(low)
        assert out[t, 2] == int(not low)
        assert out[t, 3] == 0xF << lane // 4 * 4
        assert (out[t, 4], out[t, 5]) == (mask, 1)
        assert out[t, 6] == sum(lanes)
        assert np.int32(out[t, 7]) == -min(lanes)


@pytest.mark.usefixtures("order")
def test_active_mask_names_the_lanes_of_the_branch(library: ctypes.CDLL) -> None:
    out = np.zeros(40, np.uint32)
    assert library.run_active(data(out), 40) == 0
    both = {0xAAAAAAAA, 0x55555555, 0xAA, 0x55, FULL, 0xFF}
    assert {int(v) for v in out} <= both
    # lanes of the odd branch meet there, so that a shuffle among them goes through
    assert set(out[1:32:2]) == {out[1]} and int(out[1]) & 0xAAAAAAAA == 0xAAAAAAAA


@pytest.mark.usefixtures("order")
@pytest.mark.parametrize(
    ("how", "status", "text"),
    [
        (0, 719, r"deadlock in block \(0, 0, 0\): of 40 threads 8 ended .* wait: 3 at __syncthreads\(\), 29 in warp"),
        (1, 719, r"__syncwarp\(\): lane \d+ of warp \d, block \(0, 0, 0\), is not in its own mask 0x000000ff"),
        (2, 719, r"came to __syncthreads(_count)?\(\) while others wait at __syncthreads(_count)?\(\)"),
        (3, 719, "the kernel threw an exception"),
        (4, 710, r"assertion `threadIdx.x < 20' failed in block \(0, 0, 0\), thread \(\d+, 0, 0\)"),
        (5, 719, r"__trap"),
        (6, 801, "a kernel launched a kernel"),
        (7, 719, "deadlock"),
    ],
)
def test_failures_are_reported(library: ctypes.CDLL, how: int, status: int, text: str) -> None:
    assert library.run_fail(how, 40) == status
    assert re.search(text, library.cladpy_host_error().decode())
    # and the next launch is not touched by it
    out = np.zeros((40, 3), np.int32)
    assert library.run_counts(data(out), 40, 40) == 0
    assert library.cladpy_host_error() == b""


@pytest.mark.parametrize(
    ("grid", "block", "shared", "status"),
    [
        ((0, 1, 1), (1, 1, 1), 0, 9),
        ((1, 65536, 1), (1, 1, 1), 0, 9),
        ((1, 1, 1), (1025, 1, 1), 0, 9),
        ((1, 1, 1), (1, 1, 65), 0, 9),
        ((1, 1, 1), (1, 1, 1), 227 * 1024 + 1, 1),
        ((1, 1, 1), (1024, 1, 1), 227 * 1024, 0),
    ],
)
def test_launch_limits(
    library: ctypes.CDLL, grid: tuple[int, int, int], block: tuple[int, int, int], shared: int, status: int
) -> None:
    g, b = np.array(grid, np.uint32), np.array(block, np.uint32)
    assert library.run_shape(data(g), data(b), ctypes.c_ulonglong(shared)) == status


def test_a_full_block_with_local_arrays_and_many_barriers(library: ctypes.CDLL) -> None:
    x = np.zeros(1024, np.int64)
    assert library.run_many_barriers(data(x), 1024, 50) == 0
    expected = [sum((k + t) % 1000 for k in range(50)) for t in range(1024)]
    assert list(x) == expected


@pytest.mark.usefixtures("order")
def test_a_thread_may_wait_for_another_with_atomics(library: ctypes.CDLL) -> None:
    flag, out = np.zeros(1, np.int32), np.zeros(8, np.int32)
    assert library.run_hand_over(data(flag), data(out), 4) == 0
    assert (out == 1).all()


def test_a_wait_without_end_is_reported() -> None:
    text = FILE.read_text(encoding="utf-8")
    library = ctypes.CDLL(str(compile_host(text, extra_flags=["-DCLADPY_HOST_MAX_TURNS=20"])))
    library.cladpy_host_error.restype = ctypes.c_char_p
    flag, out = np.zeros(1, np.int32), np.zeros(8, np.int32)
    assert library.run_hand_over(data(flag), data(out), 99) == 702
    assert b"wait with atomics for something that does not happen" in library.cladpy_host_error()
