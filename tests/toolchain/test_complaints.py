"""What the host's compiler says of the user's files is a diagnostic; what it says of ours is its output."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import cladpy
from cladpy.diagnostics import CompilationError, DifferentiationError, ToolchainError
from cladpy.source import Source
from cladpy.toolchain import compile_host

KERNEL = "__global__ void k(const double *x, double *y) { y[0] = x[0] * x[0]; }\n"


def refused(text: str | Path) -> CompilationError:
    """By the host backend. What only clang has, and stands in no function, is in no way of the front end."""
    gradient = cladpy.gradient(text, "k", "y, x", backend="host")
    with pytest.raises(CompilationError) as caught:
        gradient.execute_kernel(1, 1, *(np.ones(1) for _ in range(4)))
    return caught.value


def test_the_first_complaint_has_its_place_and_a_hint() -> None:
    error = refused("\nint a =\n  __builtin_bitreverse32(1);\nint b = __builtin_bitreverse16(2);\n" + KERNEL)
    assert isinstance(error, ToolchainError) and isinstance(error, DifferentiationError)
    lines = str(error).splitlines()
    assert lines[0].startswith("<string>.cu:3:3: error: ") and lines[0].endswith("[CP0012]")
    assert "does not compile this: '__builtin_bitreverse32' was not declared in this scope" in lines[0]
    assert lines[1:3] == ["    3 |   __builtin_bitreverse32(1);", "      |   ^"]
    assert lines[3].startswith("<string>.cu:4:9: note: '__builtin_bitreverse16' was not declared")
    assert lines[-1].startswith("hint: the host backend compiles the whole file")


def test_many_complaints_are_counted() -> None:
    variables = "".join(f"int none_{k} = __builtin_bitreverse8({k});\n" for k in range(9))
    (found,) = refused(f"\n{variables}{KERNEL}").diagnostics
    *shown, last = found.notes
    assert [n.span.line for n in shown if n.span] == [3, 4, 5]
    assert last.message.endswith("reports 5 more errors")


def test_a_header_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "helper.h").write_text("\nint helper = __builtin_bitreverse8(1);\n")
    file = tmp_path / "k.cu"
    file.write_text(f'#include "helper.h"\n{KERNEL}')
    (found,) = refused(file).diagnostics
    assert found.span is not None and (found.span.file, found.span.line) == (str((tmp_path / "helper.h").resolve()), 2)
    assert "    2 | int helper = __builtin_bitreverse8(1);" in str(found.render())


@pytest.mark.parametrize("text", ["int f() { return none; }", "#include <cladpy/no_such_header.h>"])
def test_what_is_not_the_users_is_shown_as_it_is(text: str) -> None:
    source = Source("k.cu", "int g() { return none; }\n", None)
    with pytest.raises(ToolchainError, match=r"failed \(exit 1\):\n(.*\n)*unit.cpp:1:") as caught:
        compile_host(f'{text}\n#include "k.cu"\n', source=source)
    assert not isinstance(caught.value, CompilationError)
