"""Gradients of programs that call libraries compile against the libraries' own headers, without a warning."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.emitted.units import NOT_ASSEMBLED, compile_with_nvcc, derivative_of_options, unit_of_cases
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


def test_what_thrust_has_not_is_not_named() -> None:
    """Helpers of the algorithms that stand for Thrust's on the host are none of its own."""
    cases = [case for case in CASES if case.file == "thrust_places" and not case.refused]
    assert cases
    for case in cases:
        code = derivative_of_options(str(case.path), case.function, "cuda", args=case.args).code
        assert "thrust::cladpy_" not in code, case.id
