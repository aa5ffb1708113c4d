"""The host executor's headers are C++ for clang too, without a warning."""

from __future__ import annotations

from pathlib import Path

import clang.cindex
import pytest

from cladpy.resources import host_shim_dir, include_dirs

FILES = [Path(__file__).with_name("overloads.cu"), Path(__file__).parent.parent / "runtime" / "executor.cu"]


@pytest.mark.parametrize("file", FILES, ids=lambda f: str(f.name))
def test_clang_parses_the_headers(file: Path) -> None:
    clang.cindex.Config.libcxx_dir = None  # the system's C++ library
    arguments = ["-x", "c++", "-std=c++17", "-Wall", "-Wextra", f"-I{host_shim_dir()}", "-include", "cladpy/host.h"]
    arguments += [f"-I{folder}" for folder in include_dirs()]
    unit = clang.cindex.Index.create().parse(str(file), args=arguments)
    assert [str(d) for d in unit.diagnostics] == []
