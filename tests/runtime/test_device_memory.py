"""The pool of device memory of host programs, on a runtime of plain memory: what a reset of the device does to it."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

import pytest

from cladpy.resources import custom_derivatives_dir
from cladpy.toolchain.discovery import find_host_compiler

INVALID_VALUE, INVALID_HANDLE, CONTEXT_IS_DESTROYED, LAUNCH_FAILURE = 1, 400, 709, 719


@pytest.fixture
def library(tmp_path: Path) -> ctypes.CDLL:
    path = tmp_path / "libmemory.so"
    source = Path(__file__).with_name("device_memory.cpp")
    flags = ["-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", f"-I{custom_derivatives_dir()}"]
    subprocess.run([find_host_compiler().path, *flags, source, "-o", path], check=True)
    loaded = ctypes.CDLL(str(path))
    loaded.take.restype = ctypes.c_void_p
    loaded.give.argtypes = loaded.is_from_a_pool.argtypes = [ctypes.c_void_p]
    return loaded


@pytest.mark.parametrize("error", [INVALID_VALUE, INVALID_HANDLE, CONTEXT_IS_DESTROYED])
def test_a_pool_that_a_reset_has_taken_away(library: ctypes.CDLL, error: int) -> None:
    """The next block makes a new one, and those after it use that; no error is left for the program to find."""
    for pools in (1, 2, 3):
        first, second = library.take(), library.take()
        assert first and second and library.is_from_a_pool(first) and library.is_from_a_pool(second)
        assert library.pools_made() == pools
        library.give(first)
        library.reset_device(error, 1)
        library.rest()
        assert library.error_left() == 0


def test_a_device_without_pools_after_a_reset(library: ctypes.CDLL) -> None:
    assert library.is_from_a_pool(library.take())
    library.reset_device(INVALID_VALUE, 0)
    block = library.take()
    assert block and not library.is_from_a_pool(block) and library.error_left() == 0


def test_another_error_is_told(library: ctypes.CDLL) -> None:
    """A kernel that has failed is not hidden, and costs no pool."""
    assert library.take()
    library.reset_device(LAUNCH_FAILURE, 1)
    assert not library.take()
    assert library.error_left() == LAUNCH_FAILURE and library.pools_made() == 1
