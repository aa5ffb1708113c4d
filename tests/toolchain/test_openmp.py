"""Whether programs are compiled for OpenMP's threads."""

from __future__ import annotations

from pathlib import Path

import pytest

from cladpy.toolchain.openmp import has_directives, openmp_flags


def test_directives() -> None:
    assert has_directives([b"int x;\n#  pragma omp parallel for\n"])
    assert has_directives([b'#define P _Pragma("omp simd")\n'])
    assert not has_directives([b"#pragma once\n", b"// omp\n#ifdef _OPENMP\n#endif\n"])


def test_a_compiler_that_cannot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = tmp_path / "c++"
    compiler.write_text("#!/bin/sh\nexit 1\n")
    compiler.chmod(0o755)
    monkeypatch.setenv("CXX", str(compiler))
    assert openmp_flags("host") == openmp_flags("host") == ()
    monkeypatch.setenv("CXX", str(tmp_path / "none"))
    assert openmp_flags("host") == ()
    assert openmp_flags("hip") == ()
