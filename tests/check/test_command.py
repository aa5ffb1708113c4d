"""`cladpy check` as a function: values from the command line, a verdict and a report."""

from __future__ import annotations

from pathlib import Path

import pytest

from cladpy.check.command import run_check
from cladpy.diagnostics import LaunchError, UsageError
from cladpy.options import Options

KERNELS = Path(__file__).parents[1] / "kernels"
VALUES = ["N=70", "out=zeros:70", "in=random:70"]


def test_a_kernel_that_is_right() -> None:
    good, text = run_check(KERNELS / "talk.cu", "add_kernel_4", "in, out", (3,), (32,), VALUES, 5, Options.make())
    assert good
    assert text.startswith("add_kernel_4: the gradient agrees with the oracle (16/16 comparisons)\n")
    assert "  ok   direction along in, reverse order: error " in text
    assert "  ok   64 of 70 elements of in against differences: error " in text


def test_a_host_function() -> None:
    text = "double f(const double *x, int n, double w) {\n  double s = 0;\n" \
           "  for (int i = 0; i < n; ++i) s += w * x[i] * x[i];\n  return s;\n}"  # fmt: skip
    good, report = run_check(text, "f", "x, w", None, None, ["x=[1,2,0.5]", "n=3", "w=0.7"], 1, Options.make())
    assert good, report


def test_a_missing_value_is_named() -> None:
    with pytest.raises(UsageError, match="no value for 'N': give one with --set, such as --set N=1"):
        run_check(KERNELS / "talk.cu", "add_kernel_4", "in, out", (3,), (32,), VALUES[1:], 5, Options.make())


def test_launch_and_function_must_fit() -> None:
    with pytest.raises(UsageError, match="'add_kernel_4' is a kernel: give --grid and --block"):
        run_check(KERNELS / "talk.cu", "add_kernel_4", "in, out", None, None, VALUES, 5, Options.make())
    text = "double f(double x) {\n  return x * x;\n}"
    with pytest.raises(UsageError, match="'f' is not a kernel"):
        run_check(text, "f", "x", (1,), (1,), ["x=2"], 5, Options.make())


def test_a_matrix_of_the_wrong_shape_is_refused() -> None:
    settings = ["m=random:7x4", "w=random:21", "y=zeros:7", "n=7"]
    with pytest.raises(LaunchError, match=r"m: an array of shape \(7, 4\) does not fit double \(\*\)\[3\]"):
        run_check(KERNELS / "tables.cu", "rows_of_three", "m, w, y", (1,), (8,), settings, 5, Options.make())
    settings[0] = "m=random:7x3"
    good, text = run_check(KERNELS / "tables.cu", "rows_of_three", "m, w, y", (1,), (8,), settings, 5, Options.make())
    assert good, text


@pytest.mark.parametrize("value", ["nan", "inf", "1.5", "[1]", "random:3", "99999999999"])
def test_what_is_no_integer_is_refused(value: str) -> None:
    with pytest.raises(UsageError, match="--set N"):
        settings = [f"N={value}", *VALUES[1:]]
        run_check(KERNELS / "talk.cu", "add_kernel_4", "in, out", (3,), (32,), settings, 5, Options.make())


BAD_ARRAYS = ["random:-3", "random:x", "[1,'a']", "[None]", "[[1],[2,3]]", "linspace:0:1", "zeros:99999999999999"]


@pytest.mark.parametrize("value", BAD_ARRAYS)
def test_what_is_no_array_is_refused(value: str) -> None:
    settings = ["N=70", "out=zeros:70", f"in={value}"]
    with pytest.raises(UsageError, match="--set in"):
        run_check(KERNELS / "talk.cu", "add_kernel_4", "in, out", (3,), (32,), settings, 5, Options.make())
