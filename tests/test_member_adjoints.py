"""Objects that hold pointers, passed by value: the adjoints of the numbers beside these, and what may be left out."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cladpy
from cladpy.toolchain.discovery import find_host_compiler

PROGRAM = """
struct Law { double a; float b[2]; };
struct Sized { int n; double shift; };
struct View : Sized { double *data; const double *weights; Law law; double gain; };
__global__ void k(View v, double *y) {
  int i = threadIdx.x;
  if (i >= v.n) return;
  double w = v.weights ? v.weights[i] : 1.0;
  y[i] = (v.data[i] * w * v.law.a + v.law.b[1] + v.shift) * v.gain;
}
"""
DATA = np.array([2.0, 3.0, 4.0])


def made() -> Any:
    return cladpy.gradient(PROGRAM, "k", "v, y", backend="host")


def view(**other: Any) -> dict[str, Any]:
    law = {"a": 0.5, "b": [1.0, 2.0]}
    return {"n": 3, "shift": 0.25, "data": DATA, "weights": None, "law": law, "gain": 4.0} | other


def run(adjoint: Any, value: Any = None) -> None:
    made().execute_kernel(1, 4, value or view(), np.zeros(3), adjoint, np.ones(3))


def test_what_is_asked_for_comes_back() -> None:
    d_data, d_gain, d_shift, d_law = np.zeros(3), np.zeros(1), np.zeros(1), np.zeros(1, made().dtype_of("v")["law"])
    run({"data": d_data, "gain": d_gain, "shift": d_shift, "law": d_law})
    np.testing.assert_array_equal(d_data, [2, 2, 2])
    assert d_gain == (DATA * 0.5 + 2.25).sum()
    assert d_shift == 12
    assert (d_law["a"], d_law["b"].tolist()) == (DATA.sum() * 4, [[0, 12]])


def test_members_of_a_base_may_be_given_by_its_name() -> None:
    d_shift = np.zeros(1)
    run({"data": np.zeros(3), "Sized": {"shift": d_shift}})
    assert d_shift == 12


def test_what_is_left_out_is_not_computed() -> None:
    d_data = np.zeros(3)
    run({"data": d_data})
    np.testing.assert_array_equal(d_data, [2, 2, 2])


@pytest.mark.parametrize(
    ("adjoint", "error", "text"),
    [
        ({}, cladpy.LaunchError, r"^_d_v\.data is null, and the gradient adds to the adjoint of what v\.data leads to"),
        ({"data": None}, cladpy.LaunchError, r"^_d_v\.data is null"),
        ({"data": DATA.copy(), "gain": 0.0}, cladpy.ArgumentTypeError, r"^_d_v\.gain: expected an array of float64"),
        ({"data": DATA.copy(), "gain": np.zeros(2)}, cladpy.LaunchError, r"^_d_v\.gain: expected an array of one"),
        ({"data": DATA.copy(), "gain": np.zeros(1, "f4")}, cladpy.ArgumentTypeError, r"^_d_v\.gain: expected an array"),
    ],
)
def test_what_does_not_fit_is_an_error(adjoint: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        run(adjoint)


def test_an_adjoint_is_needed_where_the_pointer_leads_somewhere() -> None:
    weights = np.array([1.0, 2.0, 3.0])
    with pytest.raises(cladpy.LaunchError, match=r"_d_v\.weights is null"):
        run({"data": np.zeros(3)}, view(weights=weights))
    d_weights = np.zeros(3)
    run({"data": np.zeros(3), "weights": d_weights}, view(weights=weights))
    np.testing.assert_array_equal(d_weights, DATA * 2)


def test_bytes_with_addresses_are_looked_into() -> None:
    dtype = made().dtype_of("v")
    value, adjoint = np.zeros(1, dtype), np.zeros(1, dtype)
    for name, number in (("gain", 4.0), ("data", DATA.ctypes.data)):
        value[name] = number
    value["Sized"]["n"] = 3
    with pytest.raises(cladpy.LaunchError, match=r"_d_v\.data is null"):
        run(adjoint[0], value[0])
    d_data = np.zeros(3)
    adjoint["data"] = d_data.ctypes.data
    value["law"]["a"] = 0.5
    run(adjoint[0], value[0])
    np.testing.assert_array_equal(d_data, [2, 2, 2])


def test_callers_in_cpp_may_leave_them_out(tmp_path: Path) -> None:
    program = tmp_path / "program.cpp"
    program.write_text(
        made().code
        + """
#include <cstdio>
int main() {
  double data[3] = {2, 3, 4}, d_data[3] = {}, y[3], d_y[3] = {1, 1, 1}, d_shift = 0, d_gain = 0;
  View v{{3, 0.25}, data, nullptr, {0.5, {1, 2}}, 4}, d_v{};
  d_v.data = d_data;
  if (k_grad_launch(1, 4, 0, nullptr, v, y, d_v, d_y) != cudaSuccess) return 1;
  for (double &d : d_y) d = 1;
  if (k_grad_launch(1, 4, 0, nullptr, v, y, d_v, d_y, &d_shift, nullptr, &d_gain) != cudaSuccess) return 1;
  std::printf("%g %g %g\\n", d_data[0], d_shift, d_gain);
}
"""
    )
    includes = [f"-I{folder}" for folder in cladpy.include_dirs()]
    binary = tmp_path / "program"
    subprocess.run([find_host_compiler().path, "-std=c++17", *includes, program, "-o", binary], check=True)
    assert subprocess.run([binary], check=True, capture_output=True, text=True).stdout == "4 12 11.25\n"


def test_ctypes_structures_hold_no_adjoints_of_numbers() -> None:
    class Law(ctypes.Structure):
        _fields_ = (("a", ctypes.c_double), ("b", ctypes.c_float * 2))

    class View(ctypes.Structure):
        _fields_ = (
            ("n", ctypes.c_int),
            ("shift", ctypes.c_double),
            ("data", ctypes.c_void_p),
            ("weights", ctypes.c_void_p),
            ("law", Law),
            ("gain", ctypes.c_double),
        )

    d_data = np.zeros(3)
    adjoint = View(data=d_data.ctypes.data)
    run(adjoint)
    np.testing.assert_array_equal(d_data, [2, 2, 2])
    assert adjoint.gain == 0
