"""Vectors of the C++ library as arguments: arrays of NumPy stand for them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest

import cladpy
from tests.emitted.units import compile_for_host
from tests.programs.case import HERE

MAIN = """
#include <cstdio>

int main() {
  std::vector<double> x = {1, 2}, d_x = {1, 10};
  folded_grad(x.data(), x.size(), 2, d_x.data());
  std::printf("%g %g\\n", d_x[0], d_x[1]);
}
"""


def test_lengths_are_those_of_the_arrays() -> None:
    gradient = cladpy.gradient(str(HERE / "vector_arguments.cu"), "model::folded", "x", backend="host")
    x, d_x = np.array([1.0, 2.0, 3.0]), np.ones(3)
    gradient.execute(x, 3, d_x)
    np.testing.assert_array_equal(d_x, [4, 5, 1])  # x0 * x1^2, x1, x2
    value = gradient.primal.execute(x, 3)
    assert value is None
    np.testing.assert_array_equal(x, [4, 2, 3])
    for call in (lambda: gradient.execute(x, 2, d_x), lambda: gradient.primal.execute(x, 5)):
        with pytest.raises(cladpy.BackendError):
            call()
    with pytest.raises(cladpy.LaunchError, match=r"takes 3 arguments \(x, size, _d_x\), got 1"):
        gradient.execute(x)


def test_the_gradient_in_a_program(tmp_path: Path) -> None:
    gradient = cladpy.gradient(str(HERE / "vector_arguments.cu"), "model::folded", "x", backend="host")
    unit = tmp_path / "own.cpp"
    unit.write_text(gradient.code + MAIN)
    result = compile_for_host(unit, "c++17", "-rdynamic")
    assert result, result.output
    program = tmp_path / "program"
    subprocess.run(["g++", str(unit.with_suffix(".o")), "-pthread", "-o", str(program)], check=True)
    said = subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout
    assert said == "4 14\n"
