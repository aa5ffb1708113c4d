"""What a call costs the host: `execute_kernel` of a gradient with four arrays and a number, beyond the launch itself.

    python -m benchmarks.overhead [cuda|host]

For each kind of array that there is: the same arrays again and others in each call, by place and by name, and a call
that was bound. The launch is that of the compiled library, with nothing of Python around it but a call by ctypes.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

import cladpy
from benchmarks.build import PROGRAMS
from cladpy.runtime import Gradient

CALLS = 500  # as many as a stream holds without waiting
SETS = 64
MOST = 10  # µs beyond the launch
_SIZE = 256

Make = Callable[[], Any]


def describe() -> str:
    """The times of a call on a GPU, in words. Raises BackendError or ImportError where there is no PyCUDA."""
    return " ".join(lines_for("cuda"))


def lines_for(backend: str) -> list[str]:
    """The times of a call, in words, with a line for each kind of array. Raises as `describe` does."""
    kinds, wait = _kinds(backend)
    lines = [f"The host's part of `execute_kernel` on `{backend}`, beyond the launch (at most {MOST} µs is meant):"]
    for name, make in kinds.items():
        gradient = cladpy.gradient(str(PROGRAMS / "maps.cu"), "square", "y, x", backend=backend)
        launch, times = _times(gradient, make, wait)
        listed = ", ".join(f"{what} {time - launch:.1f}" for what, time in times.items())
        lines.append(f"{name}: {listed} µs; the launch itself {launch:.1f} µs.")
    return lines


def _times(gradient: Gradient, make: Make, wait: Callable[[], None]) -> tuple[float, dict[str, float]]:
    """The time of a launch alone, and those of calls."""
    sets = [tuple(make() for _ in range(4)) for _ in range(SETS)]
    one = sets[:1]

    def by_place(x: Any, y: Any, d_x: Any, d_y: Any) -> None:
        gradient.execute_kernel(1, _SIZE, x, y, _SIZE, d_x, d_y)

    def by_name(x: Any, y: Any, d_x: Any, d_y: Any) -> None:
        gradient.execute_kernel(grid=1, block=_SIZE, x=x, y=y, n=_SIZE, d_x=d_x, d_y=d_y)

    def of_primal(x: Any, y: Any, d_x: Any, d_y: Any) -> None:
        gradient.primal.execute_kernel(1, _SIZE, x, y, _SIZE)

    def functional(x: Any, y: Any, d_x: Any, d_y: Any) -> None:
        gradient(1, _SIZE, x, y, _SIZE, cotangents={"y": d_y})

    x, y, d_x, d_y = one[0]
    step = gradient.bind(1, _SIZE, x, y, _SIZE, d_x, d_y)
    by_place(*one[0])
    ((_, launch),) = gradient._repeats._kinds
    time_of = partial(_time_of, wait)
    empty = time_of(lambda *_: None, sets)
    alone = time_of(lambda *_: launch.alone(), one) - empty  # with arrays that are still there
    times = {
        "bound": time_of(lambda *_: step(), one),
        "the same by place": time_of(by_place, one),
        "the same by name": time_of(by_name, one),
        "others by place": time_of(by_place, sets),
        "others by name": time_of(by_name, sets),
        "the primal's": time_of(of_primal, sets),
        "the functional form": time_of(functional, sets),
    }
    return alone, {what: time - empty for what, time in times.items()}


def _time_of(wait: Callable[[], None], call: Callable[..., object], sets: Sequence[tuple[Any, ...]]) -> float:
    """The least of five, in microseconds."""
    found = []
    for _ in range(5):
        call(*sets[0])
        wait()
        start = time.perf_counter_ns()
        for k in range(CALLS):
            call(*sets[k % len(sets)])
        found.append((time.perf_counter_ns() - start) / CALLS / 1e3)
        wait()
    return min(found)


def _kinds(backend: str) -> tuple[dict[str, Make], Callable[[], None]]:
    """What makes an array, by the name of the library, and what waits for all that was enqueued."""
    try:
        import torch
    except ImportError:
        torch = None
    kinds: dict[str, Make] = {}
    if backend == "host":
        kinds["NumPy"] = lambda: np.ones(_SIZE)
        if torch is not None:
            kinds["PyTorch"] = lambda: torch.ones(_SIZE, dtype=torch.float64)
        return kinds, lambda: None
    import pycuda.autoprimaryctx
    import pycuda.gpuarray as arrays

    kinds["PyCUDA"] = lambda: arrays.to_gpu(np.ones(_SIZE))
    if torch is not None and torch.cuda.is_available():
        kinds["PyTorch"] = lambda: torch.ones(_SIZE, dtype=torch.float64, device="cuda")
    return kinds, pycuda.autoprimaryctx.context.synchronize


if __name__ == "__main__":
    print(*lines_for(sys.argv[1] if sys.argv[1:] else "cuda"), sep="\n")
