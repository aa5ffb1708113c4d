"""Headers that are compiled once: when what was made of them is used, and that it never is where they are others by
now."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from cladpy.frontend import preamble
from cladpy.frontend.native import native_folder
from cladpy.frontend.preamble import read_behind
from cladpy.frontend.unit import TranslationUnit
from cladpy.resources import custom_derivatives_dir, library_shim_dir
from cladpy.toolchain import cache
from tests.frontend.reading import read

MAIN = b'// a comment\n#include <a.h>  // of the system\n#include "b/b.h"\nint f(A a) { return a.value; }\n'


@dataclass
class Program:
    """A program between the user's folder and two of the system's; `read` counts what clang is given."""

    folder: Path
    read: list[str]
    text: bytes = MAIN

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        time.sleep(0.05)  # what has just been written may have been another when it was read

    def unit(self) -> TranslationUnit | None:
        self.read.clear()
        places = [part for name in ("first", "second") for part in ("-isystem", str(self.folder / name))]
        resource = ["-resource-dir", str(native_folder() / "resource")]
        arguments = ["-include", str(self.folder / "given.h"), "-x", "c++", *resource, *places]
        path, own = str(self.folder / "main.cpp"), {str(self.folder / "given.h"): b"#define GIVEN 1\n"}
        return read_behind(path, arguments, {path: self.text}, own, [str(self.folder / "user")], (0, 0))

    def seen(self) -> tuple[list[str], list[str]]:
        """The types of the fields of A, and the names of the files."""
        unit = self.unit()
        assert unit is not None
        with unit:
            (function,) = unit.cursor.children()
            fields = [f"{f.type.spelling} {f.spelling}" for f in function.arguments[0].type.canonical.fields]
            assert unit.included_by().get(str(self.folder / "second/a.h"), 2) == 2
            return fields, [os.path.relpath(name, self.folder) for name in unit.inclusions()]


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Program]:
    monkeypatch.setenv("CLADPY_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(preamble, "WORTH", 0)
    made = Program(tmp_path, [])

    class Counted(TranslationUnit):
        def __init__(self, path: str, *others: object, **more: object) -> None:
            made.read.append(os.path.basename(path))
            super().__init__(path, *others, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(preamble, "TranslationUnit", Counted)
    for name in ("first/none.h", "user/none.h"):
        made.write(name, "")
    made.write("second/a.h", "#pragma once\n#if __has_include(<asked.h>)\n#endif\nstruct A { int value; };\n")
    made.write("second/b/b.h", "#include <a.h>\n")
    yield made


BOTH, ONE = ["cladpy-preamble.cu", "main.cpp"], ["main.cpp"]
FILES = ["main.cpp", "given.h", "second/a.h", "second/b/b.h"]


def test_they_are_read_once(program: Program) -> None:
    assert program.seen() == (["int value"], FILES)
    assert program.read == BOTH
    os.utime(program.folder / "second/a.h")  # the same is in it
    program.text = MAIN.replace(b"return", b"return 2 *")
    assert program.seen() == (["int value"], FILES)
    assert program.read == ONE


@pytest.mark.parametrize("name", ["second/a.h", "first/a.h", "first/b/b.h"])
def test_headers_that_are_others_by_now(program: Program, name: str) -> None:
    """One has changed, or has come to be found before it."""
    program.seen()
    if name.endswith("b.h"):
        program.write("first/c.h", "struct A { long value; };\n")
        program.write(name, '#define value more; long value\n#include "../c.h"\n')
        program.text = b"#include <b/b.h>\nint f(A a) { return a.value; }\n"
    else:
        program.write(name, "#pragma once\nstruct A { long value; double more; };\n")
    assert program.seen()[0] != ["int value"]
    assert program.read == BOTH


@pytest.mark.parametrize(("name", "read"), [("a.h", []), ("b/b.h", BOTH[:1]), ("asked.h", BOTH[:1])])
def test_headers_of_the_user(program: Program, name: str, read: list[str]) -> None:
    """What comes to lie in the user's folders may be found there, and is read with the program."""
    program.text = MAIN.replace(b'"b/b.h"', b"<a.h>") if name == "asked.h" else MAIN.replace(b'"b/b.h"', b'"c.h"')
    program.write("second/c.h", "#include <b/b.h>\n")
    program.seen()
    program.write(f"user/{name}", "struct A { char value; };\n")
    assert program.unit() is None
    assert program.read == read


def test_what_is_read_as_a_whole(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    program.text = b"int f() { return 1; }\n"
    assert (program.unit(), program.read) == (None, [])
    program.text = MAIN + b"int g() { return unknown; }\n"
    assert (program.unit(), program.read) == (None, BOTH)
    assert (program.unit(), program.read) == (None, ONE)
    program.text = b"#include <absent.h>\n" + MAIN
    assert (program.unit(), program.read) == (None, BOTH[:1])
    assert (program.unit(), program.read) == (None, [])  # it is known to be of no use
    program.write("second/d.h", "namespace clad { namespace custom_derivatives {} }\n")
    program.text = b"#include <d.h>\n"
    assert (program.unit(), program.read) == (None, BOTH[:1])
    monkeypatch.setattr(preamble, "WORTH", 100)
    program.text = b"#include <a.h>\n"
    assert (program.unit(), program.read) == (None, BOTH[:1])
    monkeypatch.setenv("CPATH", str(program.folder))
    assert (program.unit(), program.read) == (None, [])


def test_headers_that_lead_to_pullbacks_are_read_with_the_program() -> None:
    own = (str(library_shim_dir()), str(custom_derivatives_dir()))
    text = b"#include <vector>\n#include <cublas_v2.h>\n#include <map>\n"
    assert preamble._leading("/nowhere/main.cu", text, [], own) == b"#include <vector>\n"
    assert preamble._leading("/nowhere/main.cu", text, [], ()) == text


def test_what_may_have_changed_meanwhile(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time_ns", lambda: 0)
    assert (program.unit(), program.read) == (None, BOTH[:1])
    assert (program.unit(), program.read) == (None, BOTH[:1])  # nothing was kept


def test_what_the_cache_has_lost(program: Program) -> None:
    program.seen()
    largest = max((program.folder / "cache").glob("*.so"), key=lambda p: p.stat().st_size)
    largest.write_bytes(b"spoilt")
    assert program.seen()[0] == ["int value"]
    assert program.read == BOTH
    cache.clear()
    (program.folder / "cache").rmdir()
    (program.folder / "cache").write_text("no folder")
    assert program.unit() is None


@pytest.mark.parametrize(
    ("text", "leading"),
    [
        ('#include <a>\n\n  # include "b.h" // c\n#define N 1\n#include <d>\n', 2),
        ("/* a\n * b */ #include <a>\n#include <a>", 1),
        ("// to \\\n#include <a>\n", 0),
        ("/* to *\\\n/\n#include <a>\n*/", 0),
        ("#include <a> /* b\n */\n", 0),
        ("#include NAME\n#include <a>\n", 0),
        ("#if 1\n#include <a>\n#endif\n", 0),
        ("#pragma once\n#include <a>\n", 0),
        ("\r\n#include <a>\r\nint i;\r\n", 1),
        ("#include_next <a>\n", 0),
        ("", 0),
    ],
)
def test_which_includes_lead(text: str, leading: int) -> None:
    found = preamble._leading("/nowhere/main.cu", text.encode(), [], ())
    assert text.encode().startswith(found)
    assert found.count(b"include") == leading


def test_programs_are_the_same_behind_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Instantiations, types and functions of the library, and files."""
    monkeypatch.setenv("CLADPY_CACHE_DIR", str(tmp_path / "cache"))
    text = """#include <algorithm>
#include <vector>
template <class T> __device__ T most(T a, T b) { return std::max(a, b) * a; }
__global__ void k(const double *x, double *y) { y[threadIdx.x] = most(x[threadIdx.x], 2.0); }
void f(const double *x, double *y) { std::vector<double> v(4); k<<<1, 4>>>(x, y); }
"""
    for function in ("k", "f"):
        monkeypatch.setattr(preamble, "WORTH", 0)
        behind = read(text, function)
        assert any(path.stat().st_size > 1_000_000 for path in (tmp_path / "cache").glob("*.so"))
        monkeypatch.setattr(preamble, "_INCLUDE", preamble._ASKED)  # which nothing begins with
        whole = read(text, function)
        monkeypatch.undo()
        monkeypatch.setenv("CLADPY_CACHE_DIR", str(tmp_path / "cache"))
        assert repr(behind) == repr(whole)
        assert sorted(behind.includes) == sorted(whole.includes)
