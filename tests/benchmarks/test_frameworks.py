"""What JAX and PyTorch compute in the benchmarks is what the kernels compute."""

from __future__ import annotations

import os

import numpy as np
import pytest

from benchmarks.build import build
from benchmarks.frameworks import CROPPED, FUNCTIONS, NUMPY, arguments
from benchmarks.instance import Instance
from benchmarks.memory import HostMemory
from benchmarks.programs import find
from tests import precompiled

os.environ.setdefault("CLADPY_HOST_FLAGS", f"{precompiled.EFFORT} {precompiled.flags()}")


@pytest.mark.parametrize("name", [n for n in FUNCTIONS if n not in ("rec16", "rec256")])  # rec64 is the same
def test_a_framework_computes_what_the_kernel_does(name: str) -> None:
    benchmark = find(name)
    built = build(benchmark, False, "host", "")
    instance = Instance(HostMemory(), benchmark, benchmark.setup(**benchmark.small), built)
    instance.call(instance.primal())
    (output,) = benchmark.output_names
    wanted = instance.get(output)
    at, inputs = arguments(benchmark, list(built.parameters), benchmark.small)
    found = FUNCTIONS[name](NUMPY, at, *inputs)
    if name in CROPPED:
        wanted = wanted[1:-1, 1:-1]
    tolerance = 1e-12 if wanted.dtype == np.float64 else 1e-5
    assert np.abs(found.ravel() - wanted.ravel()).max() <= tolerance * np.abs(wanted).max()
