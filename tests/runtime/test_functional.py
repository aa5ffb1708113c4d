"""The functional form, cotangents that are forgotten, arrays that must not change, and gradients that travel."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cladpy
from cladpy.diagnostics import ArgumentTypeError, CladpyWarning, LaunchError
from cladpy.runtime import Gradient

PROGRAM = """
#include <cuda_fp16.h>
struct Point { double x, y; };
struct View { double *data; double gain; const double *none; double w[2]; int n; };
__global__ void axpy(int n, double a, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] * y[i];
}
__global__ void viewed(View v, Point p) {
  int i = threadIdx.x;
  v.data[i] = v.gain * v.w[1] * p.x * v.data[i];
}
__global__ void rows(double **x, const double *const *w) { x[blockIdx.x][threadIdx.x] *= w[blockIdx.x][threadIdx.x]; }
__global__ void halves(const __half *x, float *y, __half2 h) {
  y[threadIdx.x] = __half2float(x[threadIdx.x]) * __low2float(h);
}
double dot(int n, const double *x, double *squares, const double &scale) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += x[i] * scale;
    squares[i] = x[i] * x[i];
  }
  return sum;
}
__device__ Point swapped(double a, double b) { return Point{b * b, a}; }
__global__ void points(const Point *p, Point *q) { q[threadIdx.x].x = p[threadIdx.x].y * p[threadIdx.x].y; }
"""
N = 4


@pytest.fixture(scope="module")
def program() -> dict[str, Gradient]:
    names = ("axpy", "viewed", "rows", "halves", "dot", "swapped", "points")
    return {name: cladpy.gradient(PROGRAM, name, backend="host") for name in names}


def ramp() -> Any:
    return np.arange(1.0, N + 1)


def test_a_kernel(program: dict[str, Gradient]) -> None:
    x, y, w = ramp(), ramp() + 1, np.array([1.0, 2.0, 3.0, 4.0])
    found = program["axpy"](1, N, N, 2.0, x, y, cotangents={"y": w})
    assert list(found) == ["a", "x", "y"]
    assert found["a"] == sum(w * x * y) and isinstance(found["a"], np.float64)
    assert np.array_equal(found["x"], 2 * y * w) and np.array_equal(found["y"], 2 * x * w)
    assert np.array_equal(w, [1, 2, 3, 4]) and np.array_equal(y, ramp() + 1)  # nothing is overwritten
    named = program["axpy"](grid=1, block=N, n=N, a=2.0, x=x, y=y, cotangents={"y": w.astype(np.float32)})
    assert all(np.array_equal(named[key], found[key]) for key in found)
    ones = program["axpy"](1, N, N, 2.0, x.reshape(2, 2), y.reshape(2, 2), cotangents={"y": 1})
    assert ones["x"].shape == (2, 2)


def test_a_function_that_returns_a_value(program: dict[str, Gradient]) -> None:
    dot, x = program["dot"], ramp()
    whole = dot(N, x, np.zeros(N), 3.0)
    assert np.array_equal(whole["x"], np.full(N, 3.0)) and whole["scale"] == 10.0
    both = dot(N, x, np.zeros(N), np.array([3.0]), cotangents={"return": 2.0, "squares": np.ones(N)})
    assert np.array_equal(both["x"], 6 + 2 * x) and np.array_equal(both["scale"], [20.0])
    squares = dot(N, x, np.zeros(N), 3.0, cotangents={"squares": 1})
    assert np.array_equal(squares["x"], 2 * x) and squares["scale"] == 0


@pytest.mark.parametrize("library", ["numpy", "torch"])
def test_calls_that_are_made_again(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other values, sizes, kinds and cotangents, each against what a gradient gives that has made no call before."""
    monkeypatch.delenv("CLADPY_HOST_FIBERS", raising=False)
    as_array: Any = np.asarray if library == "numpy" else pytest.importorskip("torch").as_tensor
    rng = np.random.default_rng(1)
    calls: list[tuple[int, Any]] = [
        (4, {"squares": 4}),
        (4, {"squares": 4}),
        (4, None),
        (4, {"squares": 4}),
        (3, {"squares": 3, "return": 2.0}),
        (4, {"squares": 4}),
        (4, {"squares": 1.5}),
        (4, {"return": np.float32(3)}),
        (4, {"return": -1}),
        (3, {"squares": 3, "return": 0.5}),
    ]
    made = {k: cladpy.gradient(PROGRAM, "dot", "x, squares", backend="host") for k in ("again", "anew")}
    for n, names in calls:
        x = as_array(rng.normal(size=n))
        given = names and {k: as_array(rng.normal(size=v)) if type(v) is int and v > 0 else v for k, v in names.items()}
        monkeypatch.setattr(made["anew"]._forms, "_kinds", ())
        found, right = (
            g(n, x, as_array(np.zeros(n)), as_array(np.array([2.0])), cotangents=given) for g in made.values()
        )
        assert list(found) == list(right) == ["x", "squares"]
        for key, value in found.items():
            assert type(value) is type(x) and value.shape == x.shape
            assert np.array_equal(value, right[key]) and (key == "squares" or bool(value.any()))
    assert len(made["again"]._forms._kinds) == 4
    for wrong in (np.zeros(5), "x", None, np.zeros(4, complex)):
        with pytest.raises((LaunchError, ArgumentTypeError), match="cotangents"):
            made["again"](4, x, as_array(np.zeros(4)), as_array(np.ones(1)), cotangents={"squares": wrong})
    with pytest.raises(LaunchError, match="y"):
        made["again"](4, x, as_array(np.zeros(4)), as_array(np.ones(1)), cotangents={"y": 1.0})


def test_functions_that_name_variables() -> None:
    """Which have cotangents of their own only where they are differentiated by, and written."""
    program = """
    double gain = 3;
    __device__ double weight, sum;
    double scaled(double x) { return gain * x; }
    double kept(double x) { gain = x * x; return gain * x; }
    __global__ void weighted(const double *x, double *y) { y[0] = weight * x[0]; }
    __global__ void summed(const double *x) { sum = weight * x[0]; }
    """
    made = {
        a: cladpy.gradient(program, *a.split(": "), backend="host")
        for a in ("scaled: x", "scaled: x, gain", "kept: x, gain")
    }
    assert [gradient(2.0)["x"] for gradient in made.values()] == [3, 3, 12]
    assert made["scaled: x, gain"].adjoint_of("gain") == 2
    last = made["kept: x, gain"]
    last.set_adjoint("gain", 5.0)
    assert last(2.0, cotangents={"return": 0.0})["x"] == 20
    weighted = cladpy.gradient(program, "weighted", "x, y", backend="host")
    weighted.primal.set_value("weight", 7.0)
    with pytest.raises(LaunchError, match="no cotangents are given"):
        weighted(1, 1, np.ones(1), np.ones(1))
    with pytest.warns(CladpyWarning, match="every cotangent is zero"):
        weighted.execute_kernel(1, 1, np.ones(1), np.ones(1), np.zeros(1), np.zeros(1))
    assert weighted(1, 1, np.ones(1), np.ones(1), cotangents={"y": 2.0})["x"] == 14
    summed = cladpy.gradient(program, "summed", "x, sum", backend="host")
    summed.primal.set_value("weight", 7.0)
    summed.set_adjoint("sum", 2.0)
    assert summed(1, 1, np.ones(1))["x"] == 14


def test_objects(program: dict[str, Gradient]) -> None:
    view = {"data": ramp(), "gain": 2.0, "none": None, "w": [5.0, 3.0], "n": N}
    found = program["viewed"](1, N, view, {"x": 2.0, "y": 0.0}, cotangents={"v": {"data": np.ones(N)}})
    assert np.array_equal(found["v"]["data"], np.full(N, 12.0)) and found["v"]["gain"] == 60.0
    assert np.array_equal(found["v"]["w"], [0.0, 40.0]) and "none" not in found["v"]
    assert (found["p"]["x"], found["p"]["y"]) == (60.0, 0.0)
    with pytest.raises(LaunchError, match=r"cotangents\['v'\]: v has no adjoint 'date'; it has data, gain, w"):
        program["viewed"](1, N, view, {"x": 2.0, "y": 0.0}, cotangents={"v": {"date": np.ones(N)}})
    with pytest.raises(ArgumentTypeError, match=r"cotangents\['v'\]: expected a dict"):
        program["viewed"](1, N, view, {"x": 2.0, "y": 0.0}, cotangents={"v": np.ones(N)})
    with pytest.raises(LaunchError, match="v: the adjoint of what is known by addresses cannot be made"):
        grad = program["viewed"]
        raw = np.zeros(1, grad.dtype_of("v"))
        raw["data"] = ramp().ctypes.data
        grad(1, N, raw[0], {"x": 2.0, "y": 0.0}, cotangents={"v": {"data": 1}})


def test_rows(program: dict[str, Gradient]) -> None:
    x, w = [ramp(), ramp() + 1], [ramp() + 2, ramp() + 3]
    found = program["rows"](2, N, x, w, cotangents={"x": [np.ones(N), np.full(N, 2.0)]})
    assert np.array_equal(found["x"][1], 2 * w[1]) and np.array_equal(found["w"][0], x[0])
    with pytest.raises(ArgumentTypeError, match=r"cotangents\['x'\]: expected a list of 2 cotangents"):
        program["rows"](2, N, x, w, cotangents={"x": [np.ones(N)]})


def test_halves(program: dict[str, Gradient]) -> None:
    """Their adjoints are floats."""
    x = np.arange(1, N + 1, dtype=np.float16)
    found = program["halves"](1, N, x, np.zeros(N, np.float32), [2.0, 1.0], cotangents={"y": 1})
    assert found["x"].dtype == np.float32 and np.array_equal(found["x"], np.full(N, 2.0))
    assert [float(v) for v in found["h"]] == [10.0, 0.0]


def test_objects_by_value(program: dict[str, Gradient]) -> None:
    found = program["swapped"](3.0, 4.0, cotangents={"return": {"x": 1.0, "y": 2.0}})
    assert (found["a"], found["b"]) == (2.0, 8.0)
    with pytest.raises(LaunchError, match=r"no cotangents are given.*'return' may have one"):
        program["swapped"](3.0, 4.0)


def test_arrays_of_objects(program: dict[str, Gradient]) -> None:
    p = np.ones((N, 2))
    found = program["points"](1, N, p, np.zeros((N, 2)), cotangents={"q": np.ones((N, 2))})
    assert np.array_equal(found["p"], np.tile([0.0, 2.0], (N, 1)))
    assert np.array_equal(found["q"], np.tile([0.0, 1.0], (N, 1)))


CALLS: tuple[tuple[dict[str, Any] | None, str], ...] = (
    (None, "no cotangents are given, so that all adjoints of axpy would be zero; 'y' may have one"),
    ({}, "no cotangents are given, so that all adjoints of axpy would be zero; 'y' may have one"),
    ({"x": 1}, "cotangents: axpy does not write 'x', so that it has no cotangent; outputs are: y"),
    ({"a": 1}, "cotangents: axpy does not write 'a', so that it has no cotangent; outputs are: y"),
    ({"n": 1}, "cotangents: 'n' is not one of the arguments that are differentiated; outputs among these are: y"),
    ({"return": 1}, "cotangents: axpy returns no floating-point value that 'return' could be"),
    ({"y": np.ones(3)}, r"cotangents\['y'\]: expected an array of shape \(4,\), as y has, got \(3,\)"),
    ({"y": np.ones((2, 2))}, r"cotangents\['y'\]: expected an array of shape \(4,\), as y has, got \(2, 2\)"),
    ({"y": np.ones(4, complex)}, r"cotangents\['y'\]: expected an array of float64, got one of complex128"),
    ({"y": None}, r"cotangents\['y'\]: expected an array, got None"),
)


@pytest.mark.parametrize(("cotangents", "text"), CALLS)
def test_cotangents_that_make_no_sense(
    cotangents: dict[str, Any] | None, text: str, program: dict[str, Gradient]
) -> None:
    with pytest.raises(LaunchError, match=text):
        program["axpy"](1, N, N, 2.0, ramp(), ramp(), cotangents=cotangents)


def test_primal_arguments_are_checked_first(program: dict[str, Gradient]) -> None:
    with pytest.raises(LaunchError, match="y is missing"):
        program["axpy"](1, N, N, 2.0, ramp(), cotangents={"y": 1})
    with pytest.raises(ArgumentTypeError, match="y: the array is read-only"):
        program["axpy"](1, N, N, 2.0, ramp(), np.frombuffer(bytes(8 * N)), cotangents={"y": 1})
    with pytest.raises(LaunchError, match="it is not __global__: it has no launch"):
        program["dot"](N, ramp(), np.zeros(N), 3.0, stream=1)


# ---- cotangents that are forgotten, and shapes that differ ----------------------------------------------------------


def renewed(grad: Gradient) -> Gradient:
    return copy.copy(grad)


def test_adjoints_in_another_order(program: dict[str, Gradient]) -> None:
    """`y` gets the buffer of `x`: plausible zeros, but for a word."""
    d_a, d_x, d_y = np.zeros(1), np.zeros(N), np.ones(N)
    said = (
        "every cotangent is zero, so that axpy's gradient adds nothing: _d_y\nhint: before the call, _d_y holds the "
        "derivative of your loss by y; adjoints are passed in this order: _d_a, _d_x, _d_y"
    )
    grad = renewed(program["axpy"])
    with pytest.warns(CladpyWarning) as caught:
        grad.execute_kernel(1, N, N, 2.0, ramp(), ramp(), d_a, d_y, d_x)
    assert [str(w.message) for w in caught] == [said]
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        grad.execute_kernel(1, N, N, 2.0, ramp(), ramp(), d_a, d_y, d_x)  # once is enough
        renewed(program["axpy"]).execute_kernel(1, N, N, 2.0, ramp(), ramp(), d_a, d_x, np.ones(N))
        renewed(program["dot"]).execute(N, ramp(), np.zeros(N), 3.0, np.zeros(N), np.zeros(N), np.zeros(1))


def test_adjoints_in_another_shape(program: dict[str, Gradient]) -> None:
    x, y, d_y = np.ones((2, 6)), np.ones((2, 6)), np.ones((2, 6))
    with pytest.warns(CladpyWarning, match=r"_d_x: its shape \(6, 2\) is not that of x, \(2, 6\)") as caught:
        program["axpy"].execute_kernel(1, 12, 12, 2.0, x, y, np.zeros(1), np.zeros((6, 2)), d_y)
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        program["axpy"].execute_kernel(1, 12, 12, 2.0, x, y, np.zeros(1), np.zeros(12), np.ones((2, 1, 6)))


# ---- arrays that must not change ------------------------------------------------------------------------------------


def test_arrays_of_a_library_whose_arrays_never_change(program: dict[str, Gradient]) -> None:
    """JAX's say nothing of it in their interface."""

    class Array:
        def __init__(self, memory: Any) -> None:
            self.memory = memory

        def __dlpack__(self, **_: Any) -> Any:
            return self.memory.__dlpack__()

        def __dlpack_device__(self) -> tuple[int, int]:
            return (1, 0)

    Array.__module__ = "jaxlib._jax"
    axpy, d_y = program["axpy"], np.ones(N)
    d_x = np.zeros(N)
    axpy.execute_kernel(1, N, N, 2.0, Array(ramp()), ramp(), np.zeros(1), d_x, d_y)  # is only read
    assert np.array_equal(d_x, 2 * ramp())
    for name in ("y", "d_x", "d_y"):
        values = {"n": N, "a": 2.0, "x": ramp(), "y": ramp(), "d_a": np.zeros(1), "d_x": np.zeros(N), "d_y": np.ones(N)}
        memory = np.ones(N)
        values[name] = Array(memory)
        with pytest.raises(
            ArgumentTypeError, match=rf"{name}: the array is read-only \(jaxlib never changes its arrays\)"
        ):
            axpy.execute_kernel(1, N, **values)
        with pytest.raises(ArgumentTypeError, match=f"{name}: the array is read-only"):
            axpy.primal.execute_kernel(1, N, N, 2.0, ramp(), values["y"]) if name == "y" else axpy.execute_kernel(
                1, N, **values
            )
        assert (memory == 1).all()


# ---- numbers --------------------------------------------------------------------------------------------------------


class _Number:
    """An array without extents of another library."""

    shape = ()

    def __dlpack__(self, **_: Any) -> Any:
        raise AssertionError("not to be asked for")

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)

    def item(self) -> float:
        return 2.0


@pytest.mark.parametrize("number", [2, 2.0, np.float32(2), np.int8(2), np.array(2.0), np.float64(2), _Number()])
def test_numbers_of_every_kind(number: Any, program: dict[str, Gradient]) -> None:
    found = program["axpy"](1, N, N, number, ramp(), ramp(), cotangents={"y": 1})
    assert np.array_equal(found["x"], 2 * ramp())


# ---- gradients that travel ------------------------------------------------------------------------------------------


def _in_another_process(data: bytes) -> list[float]:
    grad = pickle.loads(data)  # noqa: S301
    found = grad(1, N, N, 2.0, ramp(), ramp(), cotangents={"y": 1})
    return [float(v) for v in found["x"]]


@pytest.mark.parametrize("name", ["axpy", "dot", "rows", "swapped"])
def test_pickled_and_copied(name: str, program: dict[str, Gradient]) -> None:
    grad = program[name]
    sent = pickle.loads(pickle.dumps(grad))  # noqa: S301
    sent_on = pickle.loads(pickle.dumps(sent))  # noqa: S301
    for other in (sent, sent_on, copy.copy(grad), copy.deepcopy(grad)):
        assert other is not grad and other.code == grad.code and other.backend == "host"
        assert other.derivative.options == grad.derivative.options
        assert other.derivative.source == grad.derivative.source
        assert str(other.signature) == str(grad.signature)
        assert len(pickle.dumps(other)) < 20_000  # no program, no library


def test_pickled_to_another_process(program: dict[str, Gradient]) -> None:
    data = pickle.dumps(program["axpy"])
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(_in_another_process, (data,)) == [2.0, 4.0, 6.0, 8.0]


def test_pickled_halves(program: dict[str, Gradient]) -> None:
    """A host function is divided where it has arrived."""
    grad = pickle.loads(pickle.dumps(program["dot"]))  # noqa: S301
    d_x = np.zeros(N)
    value, tape = grad.forward(N, ramp(), np.zeros(N), 3.0)
    grad.reverse(tape, d_x, np.zeros(N), np.zeros(1))
    assert value == 30.0 and np.array_equal(d_x, np.full(N, 3.0))


def test_of_another_version(program: dict[str, Gradient], tmp_path: Path) -> None:
    """It is made again from the source."""
    _, (made, version, derivative, backend) = program["axpy"].__reduce__()
    from cladpy.runtime.carried import arrived

    assert version == cladpy.__version__ and not derivative.program.functions
    again = arrived(made, "0.0.0", derivative, backend)
    assert again.derivative.program.functions and again.code == derivative.code


# ---- tapes that are used again --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["axpy", "dot"])
def test_a_tape_for_several_calls(name: str, program: dict[str, Gradient]) -> None:
    """Each adds the same, whatever has become of the arguments."""
    grad, x, y = program[name], ramp(), ramp() + 1
    arguments = (1, N, N, 2.0, x, y) if name == "axpy" else (N, x, y, 2.0)
    sizes = [1, N, N] if name == "axpy" else [N, N, 1]
    _, tape = grad.forward(*arguments, reusable=True)
    y[:] = 77
    found = []
    for _ in range(3):
        adjoints = [np.zeros(n) for n in sizes]
        adjoints[2 if name == "axpy" else 1][:] = 1
        grad.reverse(tape, *adjoints)
        found.append(np.concatenate(adjoints))
        assert tape.is_open
    assert np.array_equal(found[0], found[1]) and np.array_equal(found[0], found[2]) and found[0].any()
    tape.close()
    with pytest.raises(cladpy.TapeError, match=r"forward\(..., reusable=True\) makes one for any number"):
        grad.reverse(tape, *adjoints)
