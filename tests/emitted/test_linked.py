"""Emitted host programs, built and linked as a program of one's own is: no library of cladpy's defines what they need.
Units of kernels are linked wherever they are compiled (`tests.emitted.units.compile_for_host`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.emitted.units import compile_for_host, derivative_of, fragments
from tests.programs.cases import CASES


@pytest.mark.parametrize("file", ["thrust_algorithms", "device_algorithms"])
def test_host_programs(file: str, tmp_path: Path) -> None:
    """The original stands in the text of the first, with its launches as calls."""
    cases = {case.function: case for case in CASES if case.file == file and not case.refused}
    first, *others = [derivative_of(str(c.path), c.function, c.args, "host") for c in cases.values()]
    unit = tmp_path / f"{file}.cpp"
    used = f"void *first = reinterpret_cast<void *>(&{first.gradient_name});\n"
    unit.write_text(f"{first.code}\n{used}{fragments(others)}")
    result = compile_for_host(unit, "c++17", "-O0", "-I", str(next(iter(cases.values())).path.parent))
    assert result, result.output
