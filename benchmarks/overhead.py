"""What a call costs the host: `execute_kernel` with arrays that lie on the device, which only enqueues."""

from __future__ import annotations

import time

import numpy as np

import cladpy
from benchmarks.build import PROGRAMS

CALLS = 500
BLOCKS = 1


def describe() -> str:
    """The time of a call, in words. Raises BackendError where there is no PyCUDA."""
    import pycuda.autoprimaryctx
    import pycuda.gpuarray as arrays

    gradient = cladpy.gradient(str(PROGRAMS / "maps.cu"), "square", "y, x", backend="cuda")
    x, y, d_x, d_y = (arrays.to_gpu(np.ones(256)) for _ in range(4))
    both = []
    for call, given in (
        (gradient.primal.execute_kernel, (x, y, 256)),
        (gradient.execute_kernel, (x, y, 256, d_x, d_y)),
    ):
        call(BLOCKS, 256, *given)
        pycuda.autoprimaryctx.context.synchronize()
        start = time.perf_counter()
        for _ in range(CALLS):
            call(BLOCKS, 256, *given)
        both.append((time.perf_counter() - start) / CALLS * 1e6)
        pycuda.autoprimaryctx.context.synchronize()
    return (
        f"The host's part of `execute_kernel` with arrays on the device: {both[1]:.1f} µs for the gradient of "
        f"`square`, {both[0]:.1f} µs for its primal (at most 20)."
    )
