"""How long gradients take on a device, against their primals, at sizes that fill it.

usage: python -m benchmarks.gpu_times [--size 16777216] [--repeats 10] [--output FILE] [--only TEXT]
       python -m benchmarks.gpu_times --backend host --size 2000 --repeats 3     (tries the script without a device)

Every run starts from the same contents: arrays are restored from copies before each, outside the time. Times are those
between CUDA events around one call, the median after three runs to warm up; the first events wait behind work that
keeps the device busy, so that what the host does between launches is not in them. A gradient that counts before it runs
waits for the count: its time has that wait in it.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import cladpy
from tests.kernels.case import HERE

WARM_UP = 3
rng = np.random.default_rng(3)


def real(n: int) -> np.ndarray:
    return rng.uniform(0.2, 1.2, n)


def single(n: int) -> np.ndarray:
    return real(n).astype(np.float32)


@dataclass(frozen=True)
class Timed:
    file: str
    function: str
    args: str
    values: Callable[[int], list[Any]]  # for a size, which is about the number of elements
    grid: Callable[[int], Any]
    block: Any = 256

    @property
    def name(self) -> str:
        return self.function


def threads(share: int = 1, block: int = 256) -> Callable[[int], int]:
    return lambda n: max(1, -(-(n // share) // block))


def side(n: int) -> int:
    return max(16, int(n**0.5))


def tiles(extent: Callable[[int], int], width: int, height: int) -> Callable[[int], tuple[int, int]]:
    return lambda n: (-(-extent(n) // width), -(-extent(n) // height))


def edge(n: int) -> int:
    """Of the square matrices whose product is about `n` times 64 multiplications."""
    return max(16, int((64.0 * n) ** (1 / 3)))


TIMED = (
    Timed("operators", "arithmetic", "a, b, y", lambda n: [real(n), real(n), np.zeros(n), n], threads()),
    Timed(
        "science",
        "black_scholes",
        "spot, strike, years, rate, vol, call, put",
        lambda n: [real(n), real(n), real(n), 0.05, 0.3, np.zeros(n), np.zeros(n), n],
        threads(),
    ),
    Timed(
        "threads",
        "scalar_arguments",
        "x, y, a, b",
        lambda n: [real(n), np.zeros(n), 0.7, np.float32(1.3), n],
        threads(),
    ),
    Timed("threads", "atomic_sum", "x, total", lambda n: [real(n), np.zeros(1), n], threads()),
    Timed(
        "threads",
        "weighted_histogram",
        "x, w, bins",
        lambda n: [real(n), real(n), np.zeros(256), n, 256],
        threads(),
    ),
    Timed(
        "science",
        "heat_stencil",
        "u, next, alpha",
        lambda n: [real(side(n) ** 2), np.zeros(side(n) ** 2), 0.1, side(n), side(n)],
        tiles(side, 32, 8),
        (32, 8),
    ),
    Timed(
        "science",
        "convolution",
        "x, w, y",
        lambda n: [real(side(n) ** 2), real(9), np.zeros(side(n) ** 2), side(n), side(n), 1],
        tiles(side, 32, 8),
        (32, 8),
    ),
    Timed(
        "science",
        "gemm",
        "a, b, c",
        lambda n: [single(edge(n) ** 2), single(edge(n) ** 2), np.zeros(edge(n) ** 2, "f4"), edge(n), edge(n), edge(n)],
        tiles(edge, 16, 16),
        (16, 16),
    ),
    Timed("science", "horner", "c, x, y", lambda n: [real(9), real(n), np.zeros(n), n, 8], threads()),
    Timed("control", "nonlinear_state", "x, y", lambda n: [real(n // 4), np.zeros(n // 4), n // 4, 25], threads(4)),
    Timed("science", "newton", "a, root", lambda n: [real(n), np.zeros(n), n], threads()),
    Timed(
        "science",
        "runge_kutta",
        "state, sigma, rho, beta, h",
        lambda n: [real(3 * (n // 8)), 10.0, 28.0, 2.6, 0.01, 8, n // 8],
        threads(8),
    ),
    Timed("science", "monte_carlo", "spot, vol, payoff", lambda n: [1.0, 0.4, np.zeros(n), 12345, 6, n], threads()),
    Timed("science", "softmax", "x, y", lambda n: [real(n), np.zeros(n), n // 16, 16], threads(16)),
    Timed(
        "memory",
        "gather",
        "x, y",
        lambda n: [real(n), rng.integers(0, n, n).astype("i4"), np.zeros(n), n],
        threads(),
    ),
)


@dataclass(frozen=True)
class Row:
    name: str
    threads: int
    primal: float  # seconds
    gradient: float
    counts: bool

    def __str__(self) -> str:
        ratio = self.gradient / self.primal if self.primal else float("nan")
        how = "counts" if self.counts else ""
        return (
            f"| {self.name} | {self.threads:,} | {self.primal * 1e6:.1f} | {self.gradient * 1e6:.1f} | {ratio:.2f} | "
            f"{how} |"
        )


HEADER = "| kernel | threads | primal (µs) | gradient (µs) | ratio | |\n|---|---|---|---|---|---|"


class HostTimer:
    """Runs on the CPU, with a wall clock."""

    def buffer(self, array: np.ndarray) -> np.ndarray:
        return array.copy()

    def median(self, pairs: list[tuple[Any, Any]], call: Callable[[], None], repeats: int) -> float:
        seconds = []
        for _ in range(repeats):
            for target, origin in pairs:
                target[...] = origin
            start = time.perf_counter()
            call()
            seconds.append(time.perf_counter() - start)
        return statistics.median(seconds)


class DeviceTimer:
    """Runs on the GPU, with CUDA events."""

    def __init__(self) -> None:
        from cladpy.runtime.devices import driver

        self.cuda = driver()
        self.busy = self.cuda.mem_alloc(1 << 32)

    def buffer(self, array: np.ndarray) -> Any:
        import pycuda.gpuarray

        return pycuda.gpuarray.to_gpu(array)

    def median(self, pairs: list[tuple[Any, Any]], call: Callable[[], None], repeats: int) -> float:
        events = [(self.cuda.Event(), self.cuda.Event()) for _ in range(repeats)]
        for _ in range(20):  # about a millisecond each
            self.cuda.memset_d32_async(int(self.busy), 0, 1 << 30)
        for first, second in events:
            for target, origin in pairs:
                self.cuda.memcpy_dtod_async(int(target.gpudata), int(origin.gpudata), target.nbytes)
            first.record()
            call()
            second.record()
        self.cuda.Context.synchronize()
        return statistics.median(first.time_till(second) * 1e-3 for first, second in events)


def measure(timed: Timed, timer: HostTimer | DeviceTimer, backend: str, size: int, repeats: int) -> Row:
    gradient = cladpy.gradient(str(HERE / f"{timed.file}.cu"), timed.function, timed.args, backend=backend)
    values = timed.values(size)
    passed = [timer.buffer(v) if isinstance(v, np.ndarray) else v for v in values]
    origins = [timer.buffer(v) if isinstance(v, np.ndarray) else None for v in values]
    pairs = [(p, o) for p, o in zip(passed, origins, strict=True) if o is not None]
    adjoints, more = [], []
    for adjoint in gradient.derivative.adjoints:
        like = np.atleast_1d(np.asarray(values[adjoint.parameter]))
        dtype = like.dtype if like.dtype.kind == "f" else np.dtype(float)
        cotangent = rng.uniform(0.5, 1.5, like.shape).astype(dtype)
        adjoints.append(timer.buffer(cotangent))
        more.append((adjoints[-1], timer.buffer(cotangent)))
    grid = timed.grid(size)

    def primal() -> None:
        gradient.primal.execute_kernel(grid, timed.block, *passed)

    def both() -> None:
        gradient.execute_kernel(grid, timed.block, *passed, *adjoints)

    counts = f"{gradient.derivative.gradient_name}_count" in gradient.code
    times = []
    for call, restored in ((primal, pairs), (both, pairs + more)):
        timer.median(restored, call, WARM_UP)
        times.append(timer.median(restored, call, repeats))
    total = int(np.prod(np.atleast_1d(grid))) * int(np.prod(np.atleast_1d(timed.block)))
    return Row(timed.name, total, times[0], times[1], counts)


def run(options: argparse.Namespace) -> list[str]:
    """Lines of the table; a kernel that fails has a line that says how."""
    timer = HostTimer() if options.backend == "host" else DeviceTimer()
    lines = []
    for timed in TIMED:
        if options.only not in timed.name:
            continue
        try:
            lines.append(str(measure(timed, timer, options.backend, options.size, options.repeats)))
        except Exception as error:
            first = (str(error).splitlines() or [""])[0][:200]
            lines.append(f"| {timed.name} | FAILED: {type(error).__name__}: {first} | | | | |")
        print(lines[-1], flush=True)
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gpu_times", description=__doc__)
    parser.add_argument("--backend", default="cuda", choices=("cuda", "host"))
    parser.add_argument("--size", type=int, default=1 << 24)
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--only", default="")
    parser.add_argument("--output", type=Path, help="where to write the table (Markdown)")
    options = parser.parse_args()
    print(HEADER)
    if options.backend == "host":
        device, lines = "the CPU", run(options)
    else:
        from cladpy.runtime.devices import device_names, primary_context

        device = device_names()[0]
        with primary_context(0):
            lines = run(options)
    if options.output is not None:
        command = f"python -m benchmarks.gpu_times --size {options.size} --repeats {options.repeats}"
        options.output.write_text(
            f"# Gradient against primal on {device}\n\n`{command}`; medians of {options.repeats}.\n\n"
            + "\n".join([HEADER, *lines])
            + "\n\n`counts`: the gradient counts its tape first and waits for the count.\n"
        )
    return 1 if any("FAILED" in line for line in lines) else 0


if __name__ == "__main__":
    sys.exit(main())
