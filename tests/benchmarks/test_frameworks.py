"""What JAX, PyTorch and Enzyme compute in the benchmarks is what the kernels compute."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np
import pytest

from benchmarks import enzyme
from benchmarks.build import Built, build
from benchmarks.frameworks import CROPPED, FUNCTIONS, NUMPY, arguments
from benchmarks.instance import Instance
from benchmarks.memory import HostMemory
from benchmarks.programs import find
from cladpy.toolchain import compile_host
from tests import precompiled

os.environ.setdefault("CLADPY_HOST_FLAGS", f"{precompiled.EFFORT} {precompiled.flags()}")

# rec64 stands for the others
NAMES = [n for n in {**FUNCTIONS, **enzyme.LOOPS} if n not in ("rec16", "rec256", "rec256_16k")]


@cache
def gradient(name: str) -> Built:
    return build(find(name), False, "host", "")


def values_of(name: str, parameters: Iterable[str]) -> dict[str, Any]:
    benchmark = find(name)
    return dict(zip(parameters, benchmark.setup(**benchmark.small).values, strict=True))


@pytest.fixture(scope="module")
def loops() -> ctypes.CDLL:
    text = ""
    for name in NAMES:
        values = values_of(name, gradient(name).parameters)
        (output,) = find(name).output_names
        given = ", ".join(
            f"{'' if p == output else 'const '}{enzyme.scalar(values[p])} *{p}"
            for p in [output, *find(name).input_names]
        )
        text += f'extern "C" void {name}({given}) {{\n{enzyme.body(name, values, output)}}}\n'
    return ctypes.CDLL(str(compile_host(text, optimize="-O0")))


@pytest.mark.parametrize("name", NAMES)
def test_a_framework_computes_what_the_kernel_does(name: str, loops: ctypes.CDLL) -> None:
    benchmark = find(name)
    built = gradient(name)
    instance = Instance(HostMemory(), benchmark, benchmark.setup(**benchmark.small), built)
    instance.call(instance.primal())
    (output,) = benchmark.output_names
    wanted = instance.get(output)
    values = values_of(name, built.parameters)
    looped = np.zeros_like(wanted)
    arrays = [looped, *(values[p] for p in benchmark.input_names)]
    loops[name](*(ctypes.c_void_p(a.ctypes.data) for a in arrays))
    tolerance = (1e-12 if wanted.dtype == np.float64 else 1e-5) * np.abs(wanted).max()
    assert np.abs(looped.ravel() - wanted.ravel()).max() <= tolerance
    if name not in FUNCTIONS:
        return
    at, inputs = arguments(benchmark, list(built.parameters), benchmark.small)
    found = FUNCTIONS[name](NUMPY, at, *inputs)
    if name in CROPPED:
        wanted = wanted[1:-1, 1:-1]
    assert np.abs(found.ravel() - wanted.ravel()).max() <= tolerance
