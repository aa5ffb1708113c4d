"""What threads share gives the same with and without their directives; what the gradient is compared with, in
`test_programs`, is built without."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

import numpy as np
import pytest

from cladpy.toolchain.discovery import find_host_compiler
from tests.programs import openmp, shared_work
from tests.programs.case import Program

CASES = (*openmp.CASES, *shared_work.CASES)


@pytest.fixture(scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[ctypes.CDLL]]:
    """Each file, built without threads and with them."""
    folder = tmp_path_factory.mktemp("openmp")
    return {name: _built(case, folder) for name, case in {case.file: case for case in CASES}.items()}


def _built(case: Program, folder: Path) -> list[ctypes.CDLL]:
    text = case.path.read_text()
    heads = [line for line in text.split("\n") if line.startswith(("double ", "void ")) and line.endswith("{")]
    declared = "".join(f'extern "C" {head.rstrip(" {")};\n' for head in heads)
    (folder / f"{case.file}.cpp").write_text(f"{declared}{text}")
    built = []
    for name, flags in ((f"{case.file}_plain", ()), (f"{case.file}_threads", ("-fopenmp",))):
        command = [find_host_compiler().path, "-O1", *flags, "-shared", "-fPIC", f"{case.file}.cpp", "-o", f"{name}.so"]
        subprocess.run(command, cwd=folder, check=True)
        built.append(ctypes.CDLL(str(folder / f"{name}.so")))
    return built


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
@pytest.mark.parametrize("count", (1, 2, 5))
def test_with_and_without_threads(case: Program, count: int, libraries: dict[str, list[ctypes.CDLL]]) -> None:
    libraries[case.file][1].omp_set_num_threads(count)
    for seed in range(3):
        found = []
        for library in libraries[case.file]:
            args = case.arguments(seed)
            function = getattr(library, case.function)
            function.restype = ctypes.c_double if case.args == "x" else None
            result = function(*(ctypes.c_void_p(v.ctypes.data) if np.ndim(v) else ctypes.c_int(v) for v in args))
            found.append(args[1] if result is None else result)
        np.testing.assert_allclose(found[1], found[0], rtol=1e-12)
