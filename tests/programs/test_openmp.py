"""Loops that threads share give the same with and without their directives; what the gradient is compared with, in
`test_programs`, is built without."""

from __future__ import annotations

import ctypes
import subprocess

import numpy as np
import pytest

from cladpy.toolchain.discovery import find_host_compiler
from tests.programs.case import Program
from tests.programs.openmp import CASES


@pytest.fixture(scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> list[ctypes.CDLL]:
    """The file, built without threads and with them."""
    folder = tmp_path_factory.mktemp("openmp")
    text = CASES[0].path.read_text()
    heads = [line for line in text.split("\n") if line.startswith(("double ", "void ")) and line.endswith("{")]
    declared = "".join(f'extern "C" {head.rstrip(" {")};\n' for head in heads)
    (folder / "openmp.cpp").write_text(f"{declared}{text}")
    built = []
    for name, flags in (("plain", ()), ("threads", ("-fopenmp",))):
        command = [find_host_compiler().path, "-O1", *flags, "-shared", "-fPIC", "openmp.cpp", "-o", f"{name}.so"]
        subprocess.run(command, cwd=folder, check=True)
        built.append(ctypes.CDLL(str(folder / f"{name}.so")))
    return built


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
@pytest.mark.parametrize("count", (1, 2, 5))
def test_with_and_without_threads(case: Program, count: int, libraries: list[ctypes.CDLL]) -> None:
    libraries[1].omp_set_num_threads(count)
    for seed in range(3):
        found = []
        for library in libraries:
            args = case.arguments(seed)
            function = getattr(library, case.function)
            function.restype = ctypes.c_double if case.args == "x" else None
            result = function(*(ctypes.c_void_p(v.ctypes.data) if np.ndim(v) else ctypes.c_int(v) for v in args))
            found.append(args[1] if result is None else result)
        np.testing.assert_allclose(found[1], found[0], rtol=1e-12)
