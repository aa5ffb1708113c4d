"""Gradients and primals run on the host backend: results, accumulation, kinds of functions and of arguments."""

from __future__ import annotations

import ctypes
import subprocess
import threading
from pathlib import Path

import numpy as np
import pytest

import cladpy
from cladpy.diagnostics import ArgumentTypeError, BackendError, LaunchError, ToolchainError, UsageError
from cladpy.ir.symbols import FunctionKind
from cladpy.ir.types import BOOL, CHAR, DOUBLE, FLOAT, INT, LONG, UINT, Opaque, Pointer, Scalar, ScalarKind
from cladpy.runtime import Gradient, host_order
from tests.runtime.derivatives import derivative, half, plane, product, scale, twice


def test_kernel_and_primal() -> None:
    gradient = Gradient(scale(), "host")
    x, y, n = np.arange(10.0), np.zeros(10), 10
    gradient.primal.execute_kernel(2, 8, x, y, 3, n)
    assert np.array_equal(y, 3 * x)
    dx, dy, dw = np.ones(10), np.full(10, 2.0), np.array([5.0])
    gradient.execute_kernel((2,), [8, 1], x, y, 3, n, dx, dy, dw)
    assert np.array_equal(dx, np.full(10, 7.0))
    assert np.array_equal(dy, np.zeros(10))
    assert dw[0] == 5 + 2 * 45
    assert np.array_equal(x, np.arange(10.0)) and np.array_equal(y, 3 * x)
    assert gradient.backend == "host"
    assert gradient.code == gradient.derivative.code


def test_template_kernel_in_two_dimensions() -> None:
    gradient = Gradient(plane(), "host")
    a, da = np.ones((3, 2, 4), np.float32), np.ones(24, np.float32)
    gradient.primal.execute_kernel((2, np.int64(3)), 4, a)
    gradient.execute_kernel((2, 3, 1), (4, 1, 1), a, da)
    assert (a == 2).all() and (da == 2).all()


@pytest.mark.parametrize("kind", [FunctionKind.DEVICE, FunctionKind.HOST_DEVICE])
def test_device_function(kind: FunctionKind) -> None:
    gradient = Gradient(product(), "host")
    da, db = np.zeros(1), np.zeros(1)
    assert gradient.primal.execute(3, np.float32(5)) == 15.0
    assert gradient.execute(3.0, 5.0, da, db, cotangent=2) is None
    assert (da[0], db[0]) == (10.0, 6.0)
    gradient.execute(3.0, np.array([5.0]), da, db)
    assert (da[0], db[0]) == (15.0, 9.0)


def test_host_functions() -> None:
    gradient = Gradient(half(), "host")
    out, da, dout = np.zeros(1, np.float32), np.zeros(1, np.float32), np.ones(1, np.float32)
    value = gradient.primal.execute(3, out)
    assert value == 1.5 and isinstance(value, float) and out[0] == 3
    gradient.execute(3, out, da, dout, cotangent=4.0)
    assert (da[0], dout[0]) == (3.0, 0.0)

    gradient = Gradient(twice(), "host")
    a, da = np.ones(4), np.ones(4)
    assert gradient.primal.execute(a, 4) is None
    gradient.execute(a, 4, da)
    assert (a == 2).all() and (da == 2).all()
    with pytest.raises(LaunchError, match=r"^cotangent: space::twice returns no floating-point value"):
        gradient.execute(a, 4, da, cotangent=2.0)


def test_a_function_that_returns_an_integer() -> None:
    count = derivative("space::count", FunctionKind.HOST, [("n", INT)], [], "(void)n;", result=INT)
    value = Gradient(count, "host").primal.execute(4)
    assert value == 5 and isinstance(value, int)


def test_scalars_of_every_type_arrive() -> None:
    parameters = [
        ("b", BOOL),
        ("c", CHAR),
        ("s", Scalar(ScalarKind.SHORT)),
        ("u", UINT),
        ("l", LONG),
        ("q", Scalar(ScalarKind.ULONGLONG)),
        ("f", FLOAT),
        ("out", Pointer(DOUBLE)),
    ]
    unused = " ".join(f"(void){name};" for name, _ in parameters)
    gradient = Gradient(derivative("everything", FunctionKind.KERNEL, parameters, [], unused), "host")
    out = np.zeros(7)
    gradient.primal.execute_kernel(1, 1, True, -5, np.int8(-6), 2**32 - 1, -(2**40), 2**50, 0.5, out)
    assert list(out) == [1, -5, -6, 2**32 - 1, -(2**40), 2**50, 0.5]


def test_wrong_call_names_the_right_one() -> None:
    kernel, function = Gradient(scale(), "host"), Gradient(product(), "host")
    for call in (kernel.execute, kernel.primal.execute):
        with pytest.raises(LaunchError, match=r"Use execute_kernel\(\) for global CUDA kernels"):
            call()
    for launch in (function.execute_kernel, function.primal.execute_kernel):
        with pytest.raises(LaunchError, match=r"Use execute\(\) for non-global CUDA kernels"):
            launch(1, 1)


def test_gradients_refuse_launches_that_their_proofs_are_not_about() -> None:
    gradient = Gradient(scale(single=("blockDim.z", "gridDim.y")), "host")
    arrays = [np.ones(4), np.ones(4), 1.0, 4]
    adjoints = [np.ones(4), np.ones(4), np.ones(1)]
    for grid, block in (((1, 2), 4), (1, (4, 1, 2))):
        with pytest.raises(LaunchError, match=r"(gridDim.y|blockDim.z) must be 1"):
            gradient.execute_kernel(grid, block, *arrays, *adjoints)
        gradient.primal.execute_kernel(grid, block, *arrays)
    gradient.execute_kernel((1, 1, 1), (4, 1, 1), *arrays, *adjoints)


def test_errors_in_a_kernel() -> None:
    waits = "if (threadIdx.x == 1) __syncthreads(); else __syncwarp(); (void)a;"
    stuck = derivative("stuck", FunctionKind.KERNEL, [("a", Pointer(DOUBLE))], [], waits)
    gradient = Gradient(stuck, "host")
    with pytest.raises(BackendError, match="deadlock in block"):
        gradient.execute_kernel(1, 32, np.zeros(1))
    gradient.execute_kernel(1, 1, np.zeros(1))
    with pytest.raises(BackendError, match="deadlock in block"):
        gradient.primal.execute_kernel(1, 32, np.zeros(1))
    gradient.primal.execute_kernel(1, 1, np.zeros(1))


def test_code_that_does_not_compile() -> None:
    broken = derivative("scale", FunctionKind.KERNEL, [("x", Pointer(DOUBLE))], [], "no_such_function(x);")
    with pytest.raises(ToolchainError, match="no_such_function"):
        Gradient(broken, "host").execute_kernel(1, 1, np.zeros(1))


def test_a_function_that_is_defined_nowhere(tmp_path: Path) -> None:
    """The hint is followed."""
    pullback = "inline void elsewhere_pullback(double x, double d, double *_d_x) { *_d_x += 2 * x * d; }"
    (tmp_path / "own.h").write_text(f"namespace cladpy {{ namespace custom_derivatives {{ {pullback} }} }}\n")
    text = "double elsewhere(double x);\ndouble f(double x) { return 3 * elsewhere(x); }\n"
    found = cladpy.gradient(text, "f", backend="host", custom_derivatives=[tmp_path / "own.h"])
    with pytest.raises(ToolchainError, match=r"^'elsewhere\(double\)' is declared and used, but defined") as said:
        found.primal.execute(2.0)
    assert 'ctypes.CDLL("libNAME.so", mode=ctypes.RTLD_GLOBAL)' in str(said.value)
    (tmp_path / "elsewhere.cpp").write_text("double elsewhere(double x) { return x * x; }\n")
    library = tmp_path / "libelsewhere.so"
    subprocess.run(["g++", "-shared", "-fPIC", str(tmp_path / "elsewhere.cpp"), "-o", str(library)], check=True)
    ctypes.CDLL(str(library), mode=ctypes.RTLD_GLOBAL)
    assert found.primal.execute(2.0) == 12.0


def test_what_cannot_be_passed_is_refused_before_compiling() -> None:
    odd = derivative("scale", FunctionKind.KERNEL, [("x", Opaque("no_such_type"))], [], "")
    with pytest.raises(LaunchError, match=r"x: a parameter of type no_such_type cannot be passed from Python"):
        Gradient(odd, "host").execute_kernel(1, 1, np.zeros(1))


def test_a_backend_that_does_not_run() -> None:
    with pytest.raises(BackendError, match="gradients cannot be run on backend 'auto'"):
        Gradient(scale(), "auto")


def test_host_order() -> None:
    gradient = Gradient(plane(), "host")
    a = np.ones(24, np.float32)
    for order in ("forward", "reverse", "random"):
        with host_order(order, seed=-1):
            gradient.primal.execute_kernel((2, 3), 4, a)
    assert (a == 8).all()
    with pytest.raises(UsageError, match="order must be one of forward, reverse, random"), host_order("sideways"):
        pass


def test_threads_of_python_may_call_at_once() -> None:
    gradient = Gradient(scale(), "host")
    results = [np.zeros(64) for _ in range(4)]

    def work(k: int) -> None:
        for _ in range(50):
            gradient.primal.execute_kernel(2, 32, np.arange(64.0), results[k], k, 64)

    workers = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert all(np.array_equal(results[k], k * np.arange(64.0)) for k in range(4))


def test_device_arrays_are_refused_on_the_host() -> None:
    class OnDevice:
        __cuda_array_interface__ = {  # noqa: RUF012
            "data": (4096, False),
            "shape": (4,),
            "typestr": "<f8",
            "version": 3,
        }

    with pytest.raises(ArgumentTypeError, match="x: the array is in a device's memory"):
        Gradient(scale(), "host").primal.execute_kernel(1, 4, OnDevice(), np.zeros(4), 1.0, 4)
