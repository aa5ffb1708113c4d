"""Calls that make no sense, each with what they raise. They are made on a backend that runs: nothing may be launched,
no array may change, and the next good call must be right."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import cladpy
from cladpy.diagnostics import ArgumentTypeError, LaunchError, TapeError

KERNEL = """
__global__ void scaled(const double *x, double *y, double w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = w * x[i] * x[i];
}
"""
FUNCTION = "__device__ double powered(const double *x, double w, int n) { return w * x[n] * x[n]; }\n"
GLOBAL = """
__device__ double gain[3];
__constant__ double fixed[2] = {1, 2};
__global__ void gained(const double *x, double *y) { y[0] = gain[1] * x[0] * fixed[1]; }
"""
N = 8


class Bench:
    """The gradients that are misused, and arguments that are good."""

    def __init__(self, backend: str) -> None:
        self.kernel = cladpy.gradient(KERNEL, "scaled", "x, y, w", backend=backend)
        self.other = cladpy.gradient(KERNEL, "scaled", "x, y", backend=backend)
        self.function = cladpy.gradient(FUNCTION, "powered", "x, w", backend=backend)
        self.variables = cladpy.gradient(GLOBAL, "gained", "x, y, gain", backend=backend)
        self.arrays: list[np.ndarray[Any, Any]] = []
        self.renew()

    def renew(self) -> None:
        """New arrays for a call."""
        self.x, self.y = np.arange(1.0, N + 1), np.full(N, 0.5)
        self.dx, self.dy, self.dw = np.zeros(N), np.ones(N), np.zeros(1)
        self.adjoints = [self.dx, self.dy, self.dw]
        self.arrays = [self.x, self.y, *self.adjoints]

    def launch(self, grid: Any = 1, block: Any = N, shared_mem: Any = 0, stream: Any = None, **changed: Any) -> None:
        """Runs the kernel's gradient with some arguments changed."""
        good = {"x": self.x, "y": self.y, "w": 2.0, "n": N, "dx": self.dx, "dy": self.dy, "dw": self.dw}
        values = (good | changed).values()
        self.kernel.execute_kernel(grid, block, *values, shared_mem=shared_mem, stream=stream)

    def call(self, x: Any = None, w: Any = 2.0, n: Any = 1, cotangent: Any = 1.0) -> None:
        given = self.x if x is None else x
        self.function.execute(given, w, n, self.dx, self.dw, cotangent=cotangent)

    def tape(self) -> Any:
        _, tape = self.kernel.forward(1, N, self.x, self.y.copy(), 2.0, N)
        return tape

    def is_right(self) -> bool:
        """Whether a good call gives what it must."""
        self.renew()
        self.launch()
        good = np.array_equal(self.dx, 4 * self.x) and not self.dy.any() and self.dw[0] == sum(self.x * self.x)
        self.renew()
        self.call()
        return bool(good and self.dx[1] == 8.0 and self.dw[0] == 4.0)


class _Broken:
    """An array whose DLPack is none."""

    def __dlpack__(self, **_: Any) -> Any:
        raise BufferError("this array is not to be had")

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)


class _Elsewhere:
    """An array of a device that there is not."""

    def __dlpack_device__(self) -> tuple[int, int]:
        return (77, 0)

    def __dlpack__(self, **_: Any) -> Any:
        raise AssertionError("not to be asked for")


@dataclass(frozen=True)
class Misuse:
    name: str
    error: type[Exception]
    text: str
    act: Callable[[Bench], object]


def _launches(name: str, error: type[Exception], text: str, **changed: Any) -> Misuse:
    return Misuse(name, error, text, lambda b: b.launch(**changed))


def _with(name: str, error: type[Exception], text: str, changed: Callable[[Bench], dict[str, Any]]) -> Misuse:
    return Misuse(name, error, text, lambda b: b.launch(**changed(b)))


_FLOATS = "expected an array of float64"

MISUSES = (
    # how many
    Misuse("no arguments", LaunchError, "takes 7 arguments", lambda b: b.kernel.execute_kernel(1, N)),
    Misuse("no adjoints", LaunchError, "got 4", lambda b: b.kernel.execute_kernel(1, N, b.x, b.y, 2.0, N)),
    Misuse("one too many", LaunchError, "got 8", lambda b: b.launch(more=b.dw)),
    Misuse("adjoints for the primal", LaunchError, "got 5", lambda b: b.kernel.primal.execute_kernel(1, N, *b.arrays)),
    # of what type
    *(
        _launches(f"array of {np.dtype(t).name}", ArgumentTypeError, f"x: {_FLOATS}", x=np.zeros(N, t))
        for t in (np.float32, np.float16, np.int64, np.complex128, np.bool_, ">f8", "U3", "M8[s]", np.object_)
    ),
    _launches("array of objects", ArgumentTypeError, f"x: {_FLOATS}", x=np.zeros(N, [("a", "f8")])),
    _launches("adjoint of float32", ArgumentTypeError, f"_d_x: {_FLOATS}", dx=np.zeros(N, np.float32)),
    _launches("list", ArgumentTypeError, f"x: {_FLOATS}", x=[1.0] * N),
    _launches("number for an array", ArgumentTypeError, f"x: {_FLOATS}", x=1.0),
    _launches("bytes", ArgumentTypeError, f"x: {_FLOATS}", x=bytes(8 * N)),
    _launches("address", ArgumentTypeError, f"x: {_FLOATS}", x=1 << 40),
    _launches("null adjoint", ArgumentTypeError, f"_d_x: {_FLOATS}", dx=None),
    _launches("broken array", ArgumentTypeError, "x: ", x=_Broken()),
    _launches("unknown device", ArgumentTypeError, "x: ", x=_Elsewhere()),
    # how it lies
    _launches("every other element", LaunchError, "x: the array is not contiguous", x=np.zeros(2 * N)[::2]),
    _launches("backwards", LaunchError, "x: the array is not contiguous", x=np.zeros(N)[::-1]),
    _launches("columns", LaunchError, "x: the array is not contiguous", x=np.zeros((2, 4), order="F")),
    _launches("one element for all", LaunchError, "x: the array is not contiguous", x=np.broadcast_to(1.0, N)),
    _launches("read-only output", ArgumentTypeError, "y: the array is read-only", y=np.frombuffer(bytes(8 * N))),
    _launches("read-only adjoint", ArgumentTypeError, "_d_x: the array is read-only", dx=np.frombuffer(bytes(8 * N))),
    # how much
    _launches("short adjoint", LaunchError, "_d_x: expected 8 elements, as x has, got 7", dx=np.zeros(N - 1)),
    _launches("long adjoint", LaunchError, "_d_x: expected 8 elements, as x has, got 9", dx=np.zeros(N + 1)),
    _launches("empty adjoint", LaunchError, "_d_y: expected 8 elements", dy=np.zeros(0)),
    _launches("two for a scalar", LaunchError, "_d_w: the adjoint of the scalar w is an array of one", dw=np.zeros(2)),
    _launches("none for a scalar", LaunchError, "_d_w: the adjoint of the scalar w is an array of one", dw=np.zeros(0)),
    _launches("number for an adjoint", ArgumentTypeError, f"_d_w: {_FLOATS}", dw=0.0),
    # what is the same
    _with("adjoint is its primal", LaunchError, "x and _d_x share memory", lambda b: {"dx": b.x}),
    _with("adjoint is the output", LaunchError, "y and _d_x share memory", lambda b: {"dx": b.y}),
    _with("one adjoint twice", LaunchError, "_d_x and _d_y share memory", lambda b: {"dy": b.dx}),
    _with("adjoint within another", LaunchError, "_d_x and _d_w share memory", lambda b: {"dw": b.dx[3:4]}),
    _with("output is the input", LaunchError, "x and y share memory", lambda b: {"y": b.x}),
    # numbers
    _launches("array for a number", ArgumentTypeError, "w: expected a number", w=np.zeros(1)),
    _launches("text for a number", ArgumentTypeError, "w: expected a number", w="2"),
    _launches("complex number", ArgumentTypeError, "w: expected a number", w=2j),
    _launches("no number", ArgumentTypeError, "w: expected a number", w=None),
    _launches("too large a number", ArgumentTypeError, "w: .* does not fit into double", w=10**400),
    _launches("half a count", ArgumentTypeError, "n: expected an integer", n=4.5),
    _launches("a count that is none", ArgumentTypeError, "n: expected an integer", n=math.nan),
    _launches("too large a count", ArgumentTypeError, "n: 2147483648 does not fit into int", n=2**31),
    _launches("too small a count", ArgumentTypeError, "n: -2147483649 does not fit into int", n=-(2**31) - 1),
    # the launch
    _launches("no blocks", LaunchError, "grid.x must be between", grid=0),
    _launches("blocks below zero", LaunchError, "grid.x must be between", grid=-1),
    _launches("too many blocks", LaunchError, "grid.x must be between", grid=2**31),
    _launches("too many rows of blocks", LaunchError, "grid.y must be between", grid=(1, 65536)),
    _launches("four dimensions", LaunchError, "grid must be an integer or a tuple of one to three", grid=(1, 1, 1, 1)),
    _launches("no dimension", LaunchError, "block must be an integer or a tuple of one to three", block=()),
    _launches("grid of a float", ArgumentTypeError, "grid must be an integer", grid=1.0),
    _launches("grid of a bool", ArgumentTypeError, "grid must be an integer", grid=True),
    _launches("grid of text", ArgumentTypeError, "grid must be an integer", grid="1"),
    _launches("no block", ArgumentTypeError, "block must be an integer", block=None),
    _launches("no threads", LaunchError, "block.x must be between", block=0),
    _launches("threads below zero", LaunchError, "block.x must be between", block=-32),
    _launches("too many threads", LaunchError, "block.x must be between", block=1025),
    _launches("too many threads in all", LaunchError, "has 2048 threads", block=(64, 32)),
    _launches("too deep a block", LaunchError, "block.z must be between", block=(1, 1, 65)),
    _launches("shared memory below zero", LaunchError, "shared_mem must be between", shared_mem=-1),
    _launches("too much shared memory", LaunchError, "shared_mem must be between", shared_mem=1 << 20),
    _launches("shared memory of a float", ArgumentTypeError, "shared_mem must be an integer", shared_mem=0.5),
    _launches("a stream that is none", ArgumentTypeError, "stream", stream="fast"),
    # the wrong call
    Misuse("kernel as a function", LaunchError, r"Use execute_kernel\(\)", lambda b: b.kernel.execute()),
    Misuse("function as a kernel", LaunchError, r"Use execute\(\)", lambda b: b.function.execute_kernel(1, 1)),
    Misuse("primal kernel as a function", LaunchError, r"Use execute_kernel\(\)", lambda b: b.kernel.primal.execute()),
    Misuse("cotangent of text", ArgumentTypeError, "cotangent", lambda b: b.call(cotangent="1")),
    Misuse("cotangent of several", ArgumentTypeError, "cotangent", lambda b: b.call(cotangent=np.ones(3))),
    # tapes
    Misuse("forward without a block", LaunchError, "a kernel needs grid and block", lambda b: b.kernel.forward(1)),
    Misuse("no tape", TapeError, "tape", lambda b: b.kernel.reverse(None, b.dx, b.dy, b.dw)),
    Misuse("another's tape", TapeError, "tape", lambda b: b.other.reverse(b.tape(), b.dx, b.dy)),
    Misuse("a tape with too few adjoints", LaunchError, "got", lambda b: b.kernel.reverse(b.tape(), b.dx)),
    Misuse("a tape that was closed", TapeError, "tape", lambda b: b.kernel.reverse(_closed(b.tape()), *b.adjoints)),
    Misuse("a tape that was used", TapeError, "tape", lambda b: _twice(b)),
    # variables
    Misuse("unknown variable", LaunchError, "fain", lambda b: b.variables.primal.value_of("fain")),
    Misuse("unknown adjoint", LaunchError, "fixed", lambda b: b.variables.set_adjoint("fixed", 0.0)),
    Misuse("shape of a variable", LaunchError, "gain", lambda b: b.variables.primal.set_value("gain", np.zeros(4))),
    Misuse("text for a variable", ArgumentTypeError, "gain", lambda b: b.variables.primal.set_value("gain", "loud")),
)  # fmt: skip


def _closed(tape: Any) -> Any:
    tape.close()
    return tape


def _twice(b: Bench) -> None:
    tape = b.tape()
    b.kernel.reverse(tape, np.zeros(N), np.ones(N), np.zeros(1))
    b.kernel.reverse(tape, b.dx, b.dy, b.dw)


def outcome(misuse: Misuse, bench: Bench) -> str:
    """What is wrong with how a misuse is answered; the empty string for nothing."""
    bench.renew()
    before = [array.tobytes() for array in bench.arrays]
    try:
        misuse.act(bench)
    except misuse.error as error:
        if not re.search(misuse.text, str(error)):
            return f"it says: {error}"
    except Exception as error:
        return f"it raises {type(error).__name__}: {error}"
    else:
        return "it raises nothing"
    if [array.tobytes() for array in bench.arrays] != before:
        return "an array has changed"
    return "" if bench.is_right() else "the next call is wrong"
