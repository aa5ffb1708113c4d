"""What is kept of arrays of the thread's own, and who adds to rows of shared memory."""

from __future__ import annotations

import pytest

import cladpy
from cladpy.options import Options
from cladpy.pipeline import differentiate
from cladpy.source import Source
from tests.kernels.case import HERE


@pytest.mark.parametrize(
    ("function", "kept"),
    [("four_at_a_time", "v_i"), ("nearest", "point_i"), ("left_by_earlier", "kept_i")],
)
def test_arrays_are_filled_again(function: str, kept: str) -> None:
    code = cladpy.gradient(HERE / "own_arrays.cu", function, args="y, x").code
    assert (f"_tape.push({kept})" in code) is (function == "left_by_earlier")


def emitted(file: str, function: str, args: str) -> str:
    """For a GPU."""
    return differentiate(Source.load(str(HERE / f"{file}.cu")), function, args, Options.make(), "cuda").code


def test_sums_of_rows_are_told_plainly() -> None:
    code = emitted("own_arrays", "rows_apart", "y, x")
    assert "atomic_add(&_d_memory[(long)own + (long)((unsigned int)t" not in code


def test_long_arrays_are_zeroed_as_far_as_they_are_used() -> None:
    assert "double _d_values[48];\n" in emitted("long_arrays", "rows_in_registers", "y, x, w")
    assert "double _d_values[48] = {};\n" in emitted("long_arrays", "chosen", "y, x")
