"""What was emitted before is emitted again, unless something that was read has changed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import cladpy
from cladpy import pipeline
from cladpy.cli import run

HEADER = "#ifndef FACTOR\n#define FACTOR 2.0\n#endif\n"
TEXT = '#include <cmath>\n#include "factor.h"\ndouble f(double x, int unused) { return FACTOR * x; }\n'


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A program with a header, in a folder of its own with its own cache; the targets that were differentiated for."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CLADPY_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "late").mkdir()
    (tmp_path / "early").mkdir()
    (tmp_path / "late" / "factor.h").write_text(HEADER)
    (tmp_path / "f.cu").write_text(TEXT)
    calls: list[str] = []
    differentiate = pipeline.differentiate

    def counted(*args: object, **options: object) -> object:
        calls.append(str(args[4]))
        return differentiate(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(pipeline, "differentiate", counted)
    return calls


def emitted(*more: str) -> str:
    places = ["-I", "early", "-I", "late", "-o", "out.cpp"]
    assert run(["gradient", "f.cu", "-f", "f", "--target", "host", *places, *more]) == 0
    return Path("out.cpp").read_text()


def test_text_is_emitted_again(made: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    first = emitted("--args", "x")
    assert "2.0" in first
    for _ in range(2):
        os.remove("out.cpp")
        assert emitted("--args", "x") == first
    assert len(made) == 1
    assert emitted("--args", "x", "--fragment") != first
    assert len(made) == 1, "the fragment is another form of the same"
    assert (
        run(["gradient", "f.cu", "-f", "f", "--target", "host", "-I", "late", "--depfile", "d", "-o", "out.cpp"]) == 0
    )
    assert (
        run(["gradient", "f.cu", "-f", "f", "--target", "host", "-I", "late", "--depfile", "d", "-o", "out.cpp"]) == 0
    )
    assert "late/factor.h" in Path("d").read_text()
    assert len(made) == 2


@pytest.mark.parametrize("change", ["header", "main", "shadow", "gone", "defines", "compiler", "flags"])
def test_text_is_made_anew_where_something_has_changed(
    made: list[str], change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    emitted()
    more = []
    match change:
        case "header":
            Path("late/factor.h").write_text(HEADER.replace("2", "3"))
        case "main":
            Path("f.cu").write_text(TEXT.replace("FACTOR", "3.0"))
        case "shadow":
            Path("early/factor.h").write_text(HEADER.replace("2", "3"))
        case "gone":
            Path("late/factor.h").unlink()
            Path("f.cu").with_name("factor.h").write_text(HEADER.replace("2", "3"))
        case "defines":
            more = ["-D", "FACTOR=3.0"]
        case "compiler":
            monkeypatch.setenv("CXX", "g++ -O1")
        case "flags":
            monkeypatch.setenv("CLADPY_HOST_FLAGS", "-O0")
    text = emitted(*more)
    assert made == ["host", "host"]
    assert ("3.0" in text) == (change not in ("compiler", "flags"))
    assert emitted(*more) == text
    assert made == ["host", "host"]


def test_what_is_damaged_is_made_anew(made: list[str]) -> None:
    first = emitted()
    for path in Path("cache").glob("*.so"):
        path.write_bytes(path.read_bytes()[:-1] + b"!")
    assert emitted() == first
    assert made == ["host", "host"]


def test_derivatives_are_remembered(made: list[str]) -> None:
    options = {"backend": "host", "include_dirs": ["early", "late"]}
    first, again = (cladpy.gradient("f.cu", "f", **options) for _ in range(2))  # type: ignore[arg-type]
    assert first.derivative is again.derivative and first is not again
    Path("late/factor.h").write_text(HEADER.replace("2", "3"))
    assert "3.0" in cladpy.gradient("f.cu", "f", **options).code  # type: ignore[arg-type]
    Path("early/factor.h").write_text(HEADER.replace("2", "4"))
    assert "4.0" in cladpy.gradient("f.cu", "f", **options).code  # type: ignore[arg-type]
    assert len(made) == 3
