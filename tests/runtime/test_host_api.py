"""The CUDA runtime on plain memory: what is right works, what is wrong is told, calls can be made to fail."""

from __future__ import annotations

import ctypes
import re
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from cladpy.diagnostics import Sink
from cladpy.emit.host_source import host_source
from cladpy.frontend import parse
from cladpy.options import Options
from cladpy.runtime.host_runtime import Lent, RuntimeWatch, lent_to, runtime_watched, watching_runtime
from cladpy.source import Source
from cladpy.toolchain import compile_host

FILE = Path(__file__).with_name("host_api.cu")


@pytest.fixture(scope="module")
def library() -> ctypes.CDLL:
    flags = ["-Wall", "-Wextra", "-Werror"]
    loaded = ctypes.CDLL(str(compile_host(FILE.read_text(encoding="utf-8"), extra_flags=flags)))
    loaded.cladpy_host_error.restype = ctypes.c_char_p
    loaded.cladpy_host_allocated.restype = ctypes.c_ulonglong
    return loaded


@pytest.fixture
def given() -> np.ndarray:
    return np.arange(1.0, 9.0)


@pytest.fixture(autouse=True)
def nothing_is_left(library: ctypes.CDLL) -> Iterator[None]:
    yield
    assert library.cladpy_host_allocated() == 0


def data(array: np.ndarray) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def lent(array: np.ndarray, name: str = "given") -> list[Lent]:
    return [Lent(array.ctypes.data, array.nbytes, name)]


def test_what_is_right(library: ctypes.CDLL, given: np.ndarray) -> None:
    with lent_to(library, lent(given)):
        assert library.call_rightly(data(given), 8) == 0
    given[:] = np.arange(1.0, 9.0)
    assert library.call_rightly(data(given), 8) == 0  # any memory may be the caller's


@pytest.mark.parametrize(
    ("how", "status", "text"),
    [
        (0, 1, r"cudaFree: 0x\w+ has been freed before \(64 bytes from cudaMalloc, allocation \d+\)"),
        (1, 1, r"cudaFree: 0x\w+ lies 8 bytes into a block \(64 bytes from cudaMalloc"),
        (2, 1, r"cudaFree: 0x\w+ is to be freed otherwise \(64 bytes from cudaMallocHost"),
        (3, 1, r"cudaFreeHost: 0x\w+ is to be freed otherwise \(64 bytes from cudaMalloc,"),
        (4, 1, r"cudaFree: 0x\w+ is no memory of the CUDA runtime"),
        (5, 1, r"cudaMemcpy: 72 bytes from byte 0 on are used of the target 0x\w+, which ends before \(64 bytes"),
        (6, 1, r"cudaMemcpy: 40 bytes from byte 32 on are used of the source 0x\w+, which ends before \(64 bytes"),
        (7, 1, r"cudaMemcpy: the source 0x\w+ has been freed \(64 bytes"),
        (8, 1, r"cudaMemcpy: the target 0x\w+ is memory of the host where memory of the device belongs"),
        (9, 1, r"cudaMemcpy: the target 0x\w+ is memory of the device where memory of the host belongs \(64"),
        (10, 1, r"cudaMemset: the target 0x\w+ is memory of the host where memory of the device belongs"),
        (11, 1, r"cudaMemset: 65 bytes from byte 0 on are used of the target"),
        (12, 1, r"cudaMemcpy: 64 bytes from byte 0 on .* source 0x\w+, which .* \(the caller's 'given' of 32 bytes\)"),
        (13, 1, r"cudaMemcpy2D: 80 bytes from byte 0 on are used of the target"),
        (14, 1, r"cudaMemcpy2D: rows of 16 bytes overlap in a pitch of 8"),
        (15, 1, r"cudaMemcpyToSymbol: 40 bytes from byte 0 on are used of a variable of 32"),
        (16, 21, r"cudaMemcpy: there is no direction 7"),
        (17, 1, r"cudaMemcpy: the target is null"),
        (
            18,
            700,
            r"in block \(0, 0, 0\) thread \(\d, 0, 0\), memory that has been freed is used \(64 bytes from cudaMa",
        ),
        (19, 700, r"in block \(0, 0, 0\) .*byte 256 of a block is used, beyond its end \(64 bytes from cudaMalloc"),
        (20, 1, r"cudaFree: something was stored 8 bytes beyond the end of a block \(64 bytes from cudaMalloc"),
        (21, 700, r"in block \(0, 0, 0\) thread \(0, 0, 0\), memory that is in no argument is used"),
        (22, 9, r"invalid configuration argument: grid \(0, 1, 1\), block \(32, 1, 1\)"),
        (23, 1, r"cudaMemcpy: the source 0x\w+ has been freed \(the caller's 'given' of 32 bytes\)"),
        (24, 2, r"cudaMalloc: there is no memory for 1152921504606846976 bytes"),
    ],
)
def test_what_is_wrong(library: ctypes.CDLL, given: np.ndarray, how: int, status: int, text: str) -> None:
    array = given[:4].copy()
    with lent_to(library, lent(array)):
        assert library.call_wrongly(how, data(array), 0) == status
    assert re.match(text, library.cladpy_host_error().decode())
    assert library.call_rightly(data(given), 8) == 0  # nothing is left of it


def test_freed_blocks_are_forgotten_in_the_end(library: ctypes.CDLL) -> None:
    assert library.make_and_free(5000) == 0


def six_calls(library: ctypes.CDLL, given: np.ndarray, fail_at: int) -> tuple[int, RuntimeWatch]:
    with watching_runtime(fail_at) as watch, runtime_watched(library):
        status = library.six_calls(data(given))
    return status, watch


def test_every_call_can_fail(library: ctypes.CDLL, given: np.ndarray) -> None:
    assert six_calls(library, given, 0) == (0, RuntimeWatch(0, 6, 0, 128))
    assert given[0] == 2
    expected = [(2, "cudaMalloc"), (2, "cudaMalloc"), (1, "cudaMemcpy"), (701, "a launch"), (719, "cudaDeviceSync"),
                (1, "cudaMemcpy")]  # fmt: skip
    for call, (status, name) in enumerate(expected, 1):
        found, watch = six_calls(library, given, call)
        assert (found, watch.calls, watch.left) == (status, call, 0)
        text = library.cladpy_host_error().decode()
        assert text.startswith(name)
        assert text.endswith(f"was made to fail: it is call {call} of the runtime")
        assert given[0] == 2
    assert six_calls(library, given, 7)[0] == 0


def test_streams_and_events_that_were_not_made_are_null(library: ctypes.CDLL) -> None:
    library.time_of_nothing.restype = ctypes.c_float
    for call in range(4):
        with watching_runtime(call) as watch, runtime_watched(library):
            assert library.time_of_nothing() >= 0
        assert watch.calls == 3
        if call:
            assert library.cladpy_host_error().decode().endswith(f"was made to fail: it is call {call} of the runtime")


def test_threads_allocate_and_launch_at_once(library: ctypes.CDLL) -> None:
    found: list[int] = []

    def work() -> None:
        own = np.zeros(8)
        found.extend(library.six_calls(data(own)) for _ in range(100))
        found.append(library.make_and_free(200))
        found.append(int(own[0]) - 100)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [0] * len(found)
    assert len(found) == 4 * 102


def test_every_function_that_is_declared_is_there() -> None:
    path = Path(__file__).parents[1] / "frontend" / "programs" / "runtime_api.cu"
    source = Source.load(path)
    program = parse(source, "f", Options.make(), Sink())
    compile_host(host_source(source, program), source=source, optimize="-O0")
