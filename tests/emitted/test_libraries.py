"""Gradients of programs that call libraries compile against the libraries' own headers, without a warning."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.emitted.units import NOT_ASSEMBLED, compile_with_nvcc, unit_of_cases
from tests.programs.cases import CASES

# CUDA brings Thrust's headers, but not those of cuBLAS: what it declares stands in a header of the tests'.
DECLARED = Path(__file__).parent / "libraries"


@pytest.mark.parametrize("file", ["thrust_algorithms", "device_algorithms", "blas", "library_calls"])
def test_programs(file: str, tmp_path: Path) -> None:
    cases = {case.function: case for case in CASES if case.file == file and not case.refused}
    assert cases
    unit = unit_of_cases(cases.values(), "cuda", tmp_path)
    result = compile_with_nvcc(unit, "c++17", "-I", str(DECLARED), arch=NOT_ASSEMBLED)
    assert result, result.output
