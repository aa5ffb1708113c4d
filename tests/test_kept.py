"""Derivatives come from the compile cache where an earlier process has made them of the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import cladpy
from cladpy import pipeline, remembered
from cladpy.check.command import run_check
from cladpy.making import undifferentiated, whole
from cladpy.options import Options

HEADER = "#define FACTOR 2.0\n"
TEXT = '#include "factor.h"\ndouble f(double x) { return FACTOR * x * x; }\n'


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A program in the working directory, with a cache of its own; the functions that were read."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CLADPY_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("CLADPY_KEEP_DERIVATIVES", raising=False)
    (tmp_path / "factor.h").write_text(HEADER)
    (tmp_path / "f.cu").write_text(TEXT)
    calls: list[str] = []
    read = pipeline.read

    def counted(*args: object, **options: object) -> object:
        calls.append(str(args[1]))
        return read(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(pipeline, "read", counted)
    return calls


def gradient(**options: object) -> float:
    """By what the cache holds: this process forgets."""
    remembered.derivatives = remembered.Memory()
    cladpy.making.derivatives = remembered.derivatives  # type: ignore[attr-defined]
    d_x = np.zeros(1)
    cladpy.gradient("f.cu", "f", backend="host", **options).execute(3.0, d_x)  # type: ignore[arg-type]
    return float(d_x[0])


def test_derivatives_are_kept(made: list[str]) -> None:
    assert [gradient(), gradient()] == [12.0, 12.0]
    assert len(made) == 1
    Path("factor.h").write_text("#define FACTOR 4.0\n")
    assert gradient() == 24.0
    Path("f.cu").write_text(TEXT.replace("x * x", "x"))
    assert gradient() == 4.0
    assert len(made) == 3
    assert gradient(defines={"OTHER": 1}) == 4.0
    assert len(made) == 4


def test_functions_by_themselves_are_kept(made: list[str]) -> None:
    for _ in range(2):
        found = undifferentiated(Path("f.cu"), "f", Options.make())
        assert found.primal.execute(3.0) == 18.0
    assert len(made) == 1


def test_what_is_not_kept(made: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLADPY_KEEP_DERIVATIVES", "0")
    assert [gradient(), gradient()] == [12.0, 12.0]
    assert len(made) == 2
    monkeypatch.delenv("CLADPY_KEEP_DERIVATIVES")
    Path("mine").mkdir()  # where headers may come to
    Path("mine/own.h").write_text("")
    assert [gradient(custom_derivatives=["mine"]), gradient(custom_derivatives=["mine"])] == [12.0, 12.0]
    assert len(made) == 4
    Path("f.cu").write_text("#include <of_nobody.h>\n" + TEXT)  # which may be there by the next time
    for _ in range(2):
        with pytest.warns(cladpy.CladpyWarning, match="CP0015"):
            cladpy.gradient("f.cu", "f", backend="host")
    assert len(made) == 6


def test_a_cache_that_cannot_be_used_is_none(made: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    Path("file").write_text("")
    monkeypatch.setenv("CLADPY_CACHE_DIR", "file/cache")
    for _ in range(2):
        remembered.derivatives = cladpy.making.derivatives = remembered.Memory()  # type: ignore[attr-defined]
        assert "void f_grad(" in cladpy.gradient("f.cu", "f", backend="host").code
    assert len(made) == 2


def test_what_is_kept_is_checked(made: list[str]) -> None:
    """By forward mode, which reads the functions of the program: these are not kept."""
    for _ in range(2):
        cladpy.making.derivatives = remembered.Memory()  # type: ignore[attr-defined]
        right, text = run_check("f.cu", "f", "", None, None, ["x=3.0"], 0, Options.make())
        assert right, text
    read = len(made)
    assert whole(undifferentiated(Path("f.cu"), "f", Options.make())).derivative.program.functions
    assert whole(undifferentiated(Path("f.cu"), "f", Options.make())).derivative.program.functions
    assert len(made) > read
