"""Variables at namespace scope among the arguments: their adjoints are read and set by name."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest

import cladpy
from cladpy.toolchain.discovery import find_host_compiler
from tests.emitted.units import derivative_of

PROGRAM = """
namespace model { __device__ double w[2][3] = {{1, 2, 3}, {4, 5, 6}}; }
__device__ double bias = 0.5;
__device__ const double fixed[2] = {3, 7};
__global__ void kernel(const double *x, double *y) {
  int i = threadIdx.x;
  y[i] = model::w[1][i % 3] * x[i] + bias * fixed[i % 2];
}
"""
X = np.array([2.0, 3.0, 4.0, 5.0])


def run(gradient: cladpy.runtime.Gradient) -> None:  # type: ignore[name-defined]
    gradient.execute_kernel(1, 4, X, np.zeros(4), np.zeros(4), np.ones(4))


def test_adjoints_start_at_zero_and_are_added_to() -> None:
    gradient = cladpy.gradient(PROGRAM, "kernel", "x, y, w, bias, fixed", backend="host")
    assert not gradient.adjoint_of("w").any()
    expected = np.array([[0, 0, 0], [2 + 5, 3, 4]])
    for times in (1, 2):
        run(gradient)
        np.testing.assert_array_equal(gradient.adjoint_of("w"), times * expected)
        assert gradient.adjoint_of("bias") == times * 20
        np.testing.assert_array_equal(gradient.adjoint_of("::fixed"), [times * 1.0, times * 1.0])
    gradient.set_adjoint("model::w", 0)
    gradient.set_adjoint("fixed", np.array([5, 6], np.int32))
    run(gradient)
    np.testing.assert_array_equal(gradient.adjoint_of("w"), expected)
    np.testing.assert_array_equal(gradient.adjoint_of("fixed"), [6, 7])


def test_values_of_variables_are_those_of_the_primal_and_the_gradient() -> None:
    gradient = cladpy.gradient(PROGRAM, "kernel", "x, y, w, bias", backend="host")
    np.testing.assert_array_equal(gradient.primal.value_of("w"), [[1, 2, 3], [4, 5, 6]])
    gradient.primal.set_value("w", np.arange(6.0))
    gradient.primal.set_value("bias", 10)
    y, d_x = np.zeros(4), np.zeros(4)
    gradient.primal.execute_kernel(1, 4, X, y)
    np.testing.assert_array_equal(y, np.array([3, 4, 5, 3]) * X + 10 * np.array([3, 7, 3, 7]))
    gradient.execute_kernel(1, 4, X, y, d_x, np.ones(4))
    np.testing.assert_array_equal(d_x, [3, 4, 5, 3])


def test_two_gradients_of_one_program_have_adjoints_of_their_own() -> None:
    first, second = (cladpy.gradient(PROGRAM, "kernel", "x, y, bias", backend="host") for _ in range(2))
    run(first)
    assert first.adjoint_of("bias") != 0
    assert second.adjoint_of("bias") == 0


def test_without_being_named_a_variable_has_no_adjoint() -> None:
    gradient = cladpy.gradient(PROGRAM, "kernel", backend="host")
    assert gradient.derivative.gradient_name == "kernel_grad"
    assert {g.adjoint for g in gradient.derivative.globals} == {""}
    with pytest.raises(cladpy.LaunchError, match="'w' is not one of the variables of kernel that the gradient is"):
        gradient.adjoint_of("w")
    np.testing.assert_array_equal(gradient.primal.value_of("w"), [[1, 2, 3], [4, 5, 6]])


def test_what_does_not_fit_is_an_error() -> None:
    gradient = cladpy.gradient(PROGRAM, "kernel", "x, y, w, fixed", backend="host")
    with pytest.raises(cladpy.LaunchError, match=r"expected an array of shape \(2, 3\)"):
        gradient.set_adjoint("w", np.zeros(5))
    with pytest.raises(cladpy.LaunchError, match=r"expected an array of shape \(2, 3\)"):
        gradient.set_adjoint("w", np.zeros((3, 2)))
    with pytest.raises(cladpy.ArgumentTypeError, match="expected numbers of float64"):
        gradient.set_adjoint("w", "zero")
    with pytest.raises(cladpy.LaunchError, match="fixed is const"):
        gradient.primal.set_value("fixed", 1)


def test_the_emitted_code_says_where_an_adjoint_lies(tmp_path: Path) -> None:
    gradient = cladpy.gradient(PROGRAM, "kernel", "x, y, w", backend="host")
    program = tmp_path / "program.cpp"
    program.write_text(
        gradient.code
        + """
#include <cstdio>
int main() {
  double x[4] = {2, 3, 4, 5}, y[4], d_x[4] = {}, d_y[4] = {1, 1, 1, 1};
  if (kernel_grad_w_launch(1, 4, 0, nullptr, x, y, d_x, d_y) != cudaSuccess) return 1;
  const double *d_w = kernel_grad_w_d_model_w_address();
  std::printf("%g %g %g %g\\n", d_w[0], d_w[3], d_w[4], d_w[5]);
}
""".replace("kernel_grad_w_", gradient.derivative.gradient_name + "_").replace("\\\\", "\\")
    )
    includes = [f"-I{folder}" for folder in cladpy.include_dirs()]
    binary = tmp_path / "program"
    subprocess.run([find_host_compiler().path, "-std=c++17", *includes, program, "-o", binary], check=True)
    assert subprocess.run([binary], check=True, capture_output=True, text=True).stdout == "0 7 3 4\n"


OBJECTS = """
struct Law { double a; int n; float w[2]; };
struct Grid { double *values; const double *weights; double step; int n; };
__constant__ Law law = {0.5, 2, {1, 2}};
__device__ Law laws[2];
__device__ Grid grid;
__device__ double *buffer;
__device__ int count = 2;
__global__ void kernel(const double *x, double *y) {
  int i = threadIdx.x;
  if (i >= count) return;
  y[i] = x[i] * law.a * laws[1].w[i] + grid.values[i] * grid.weights[i] * grid.step * buffer[i];
}
"""


def objects() -> cladpy.runtime.Gradient:  # type: ignore[name-defined]
    return cladpy.gradient(OBJECTS, "kernel", "x, y, law, laws, grid, buffer", backend="host")


def run_objects(gradient: cladpy.runtime.Gradient) -> None:  # type: ignore[name-defined]
    gradient.execute_kernel(1, 4, np.array([2.0, 3.0]), np.zeros(2), np.zeros(2), np.ones(2))


def test_objects_and_pointers_among_variables() -> None:
    gradient = objects()
    laws = gradient.primal.value_of("laws")
    laws["w"] = [[1, 2], [3, 4]]
    gradient.primal.set_value("laws", laws)
    gradient.primal.set_value("law", {"a": 0.25, "n": 2, "w": [1, 2]})
    values, buffer = np.array([5.0, 6.0]), np.array([1.0, 2.0])
    gradient.primal.set_value("grid", {"values": values, "weights": np.array([2.0, 4.0]), "step": 0.5, "n": 2})
    gradient.primal.set_value("buffer", buffer)
    d_values, d_weights, d_buffer = np.zeros((3, 2))
    gradient.set_adjoint("grid", {"values": d_values, "weights": d_weights})
    gradient.set_adjoint("buffer", d_buffer)
    for times in (1, 2):
        run_objects(gradient)
        assert gradient.adjoint_of("law")["a"] == times * (2 * 3 + 3 * 4)
        np.testing.assert_array_equal(gradient.adjoint_of("laws")["w"], [[0, 0], [times * 0.5, times * 0.75]])
        np.testing.assert_array_equal(d_values, times * np.array([1.0, 4.0]))
        assert gradient.adjoint_of("grid")["step"] == times * (10 + 48)
        np.testing.assert_array_equal(d_buffer, times * np.array([5.0, 12.0]))
    gradient.set_adjoint("grid", 0)
    assert gradient.adjoint_of("grid")["step"] == 0
    assert gradient.adjoint_of("grid")["values"] == d_values.ctypes.data


def test_variables_without_adjoints_are_set_too() -> None:
    gradient = cladpy.gradient(OBJECTS, "kernel", "x, y", backend="host")
    for name, value in (("count", 1), ("buffer", np.ones(2)), ("laws", [{"a": 1, "n": 1, "w": [1, 1]}] * 2)):
        gradient.primal.set_value(name, value)
    gradient.primal.set_value("grid", {"values": np.ones(2), "weights": np.ones(2), "step": 1, "n": 2})
    y = np.zeros(2)
    gradient.primal.execute_kernel(1, 4, np.array([2.0, 3.0]), y)
    np.testing.assert_array_equal(y, [2.0, 0.0])


def test_pointers_of_variables_need_adjoints() -> None:
    gradient = objects()
    with pytest.raises(cladpy.LaunchError, match="the adjoint of the variable grid is null"):
        run_objects(gradient)
    gradient.primal.set_value("grid", {"values": np.ones(2), "weights": np.ones(2), "step": 1, "n": 2})
    gradient.set_adjoint("grid", {"values": np.zeros(2)})
    with pytest.raises(cladpy.LaunchError, match=r"the adjoint of grid\.weights is null"):
        run_objects(gradient)


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("law", {"a": 1.0}, r"law\.n: no value is given"),
        ("law", {"a": 1.0, "n": 2, "w": [1]}, r"law\.w: expected 2 values"),
        ("laws", np.zeros(3), "laws"),
        ("grid", {"values": np.zeros(2, "f4"), "weights": None, "step": 1, "n": 2}, r"grid\.values: expected an array"),
        ("buffer", 3, "buffer: expected an array of float64"),
    ],
)
def test_objects_that_do_not_fit(name: str, value: object, text: str) -> None:
    with pytest.raises(cladpy.ArgumentTypeError, match=text):
        objects().primal.set_value(name, value)


def test_a_variable_may_be_named_as_an_address() -> None:
    """As CUDA's declarations have it that are no templates."""
    program = """
    __constant__ double weights[3];
    __global__ void scaled(double *x) { x[threadIdx.x] *= weights[threadIdx.x]; }
    void f(double *x) {
      cudaMemcpyToSymbol(NAME, x + 3, 3 * sizeof(double));
      scaled<<<1, 3>>>(x);
    }
    """
    by_name, by_address = (
        derivative_of(program.replace("NAME", name), "f", "x", "cuda").fragment
        for name in ("weights", "(const void *)weights")
    )
    assert by_address.replace("(const void *)weights", "weights") == by_name
