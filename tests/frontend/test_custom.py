"""Custom derivatives in the user's files and in headers named by an option."""

from __future__ import annotations

from pathlib import Path

import pytest

from cladpy.diagnostics import UsageError
from cladpy.ir.types import spell
from tests.frontend.reading import read, refusal

KERNEL = """
namespace ns { __device__ double f(double x) { return x; } }
namespace clad { namespace custom_derivatives {
__device__ void g_pullback(float x, float d, float *dx);
__device__ void g_pullback(float x, float d, float *dx) { *dx += d; }
__device__ void g_pushforward(float x, float d) { }
} }
__global__ void k(double *o) { *o = ns::f(*o); }
"""
HEADER = """#pragma once
namespace cladpy { namespace custom_derivatives { namespace ns {
__device__ inline void f_pullback(double x, double d, double *dx) { *dx += 2 * d; }
__device__ inline void f_pullback(const float *x, float d, float *dx) { }
} } }
"""


def _found(code: str, **options: object) -> list[tuple[str, str, str]]:
    program = read(code, **options)  # type: ignore[arg-type]
    return [(p.primal_name, p.qualified_name, ", ".join(map(spell, p.parameters))) for p in program.custom_pullbacks]


def test_pullbacks_are_found_by_name_and_namespace(tmp_path: Path) -> None:
    (tmp_path / "mine.cuh").write_text(HEADER)
    (tmp_path / "notes.txt").write_text("not a header")
    expected = [
        ("g", "clad::custom_derivatives::g_pullback", "float, float, float *"),
        ("ns::f", "cladpy::custom_derivatives::ns::f_pullback", "double, double, double *"),
        ("ns::f", "cladpy::custom_derivatives::ns::f_pullback", "const float *, float, float *"),
    ]
    assert _found(KERNEL, custom_derivatives=[str(tmp_path)]) == expected
    assert _found(KERNEL, custom_derivatives=[str(tmp_path / "mine.cuh")]) == expected
    assert _found(KERNEL) == expected[:1]


def test_places_that_hold_none(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no"):
        read(KERNEL, custom_derivatives=[str(tmp_path / "nowhere")])
    with pytest.raises(UsageError, match="there are no headers"):
        read(KERNEL, custom_derivatives=[str(tmp_path)])


def test_a_fault_in_a_header_is_shown_there(tmp_path: Path) -> None:
    header = tmp_path / "broken.h"
    header.write_text("int x = nothing;\n")
    assert refusal(KERNEL, custom_derivatives=[str(header)]) == (
        f"{header}:1:9: error: use of undeclared identifier 'nothing' [CP0001]\n"
        "    1 | int x = nothing;\n      |         ^"
    )
