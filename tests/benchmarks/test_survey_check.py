"""Inputs that the survey makes for functions of other people's programs, and what it says of their gradients."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.survey_check import IDLE, RIGHT, WITHIN_ARRAYS, verified
from benchmarks.survey_inputs import Choice, Values, choices
from benchmarks.survey_process import forked, give, given_by
from benchmarks.survey_shapes import Launch, launches, usable
from cladpy.ir.types import BOOL, DOUBLE, INT, Pointer
from cladpy.options import Options

HOST = """
#define WIDE 16  // threads
#ifdef OTHER
#define SIDE OTHER
#else
#define SIDE (WIDE / 2)
#endif
void host(float *x, int n) {
  dim3 grid(n / WIDE, 2), block(SIDE, SIDE);
  dim3 tile(SIDE, WIDE);
  const int bytes = 2 * WIDE * sizeof(float);
  scaled<float><<<grid, tile, bytes>>>(x, n);
  ns::scaled<<<dim3(4), 2 * SIDE>>>(x, n);
  scaled<<<n, n>>>(x, n);
}
"""


def test_launches_of_a_text() -> None:
    assert list(launches("ns::scaled<float>", [HOST], ())) == [
        Launch(None, (8, 16), 128),
        Launch((4,), (16,), 0),
        Launch(None, None, 0),
    ]
    assert next(launches("scaled", [HOST], ("WIDE=4",))).block == (2, 4)
    assert usable((8, 16)) and not usable((0, 1)) and not usable((64, 64)) and not usable(None)


def test_choices_begin_with_the_launch_of_the_program() -> None:
    first, *others = choices(True, (2, 1), [Launch(None, (8, 16), 128)])
    assert (first.grid, first.block, first.shared_mem) == ((2, 1), (8, 16), 128)
    assert {c.block for c in others} == {(8, 16), (8, 4), (16, 16)}
    assert all(c.block is None for c in choices(False, (2,), []))


def test_values_by_type_and_name() -> None:
    make = Values(Choice(16, 40, "below"))
    assert (make.of(INT, "n"), make.of(INT, "steps"), make.of(INT, "first"), make.of(BOOL, "on")) == (16, 2, 0, True)
    indices = make.of(Pointer(INT), "index")
    assert indices.shape == (40,) and indices.min() >= 0 and indices.max() < 16
    assert np.array_equal(make.of(Pointer(INT), "row_ptr"), np.arange(40))
    numbers = make.of(Pointer(DOUBLE), "x")
    assert numbers.dtype == np.float64 and numbers.min() >= 0.2 and numbers.max() < 1.2
    assert len(make.of(Pointer(Pointer(DOUBLE)), "rows")) == 16


def test_work_in_a_process_says_what_it_has_found() -> None:
    def work() -> None:
        print("more")
        give("found")
        print("still more")

    status, said = forked(work, 20)
    assert status == 0 and given_by(said) == "found" and given_by("nothing") == ""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("__global__ void f(double *x, int n) { if (threadIdx.x < n) x[threadIdx.x] *= x[threadIdx.x]; }", RIGHT),
        ("__global__ void f(double *x, int n) { if (n < 0) x[threadIdx.x] *= 2; }", IDLE),
    ],
)
def test_verified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, found: str) -> None:
    monkeypatch.setattr("benchmarks.survey_check._race", lambda runs, oracle: "")
    monkeypatch.setattr("benchmarks.survey_check._TRIALS", 1)
    source = tmp_path / "f.cu"
    source.write_text(text)
    assert verified([source], "f", Options(), (2,), [Launch((1,), (8,), 0)]) == found


def test_beyond_an_array_of_known_length(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What lies behind a shared array says nothing of the original, nor of its gradient."""
    monkeypatch.setenv("CLADPY_HOST_FLAGS", WITHIN_ARRAYS)
    monkeypatch.setattr("benchmarks.survey_check.choices", lambda *_: [Choice(8, 64, "below", (1,), (16,))])
    source = tmp_path / "f.cu"
    source.write_text(
        "__global__ void f(double *x) { __shared__ double s[8]; s[threadIdx.x] = x[0]; x[threadIdx.x] *= 2; }"
    )
    assert verified([source], "f", Options(), (1,), []) == "unfit inputs: the original goes beyond an array"
