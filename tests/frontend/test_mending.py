"""Which errors CUDA's own headers are read for, after cladpy's."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest

from cladpy.frontend import given, toolkit
from cladpy.frontend.mending import may_mend
from cladpy.frontend.unit import TranslationUnit
from tests.frontend.reading import refusal

HEADERS = {
    "cuda_runtime.h": "#define ONLY_THERE __device__\n",
    "cccl/zipped.h": "namespace thrust { void sort_by_key(int *, int *, int *to); }\n",
}
KERNEL = "__global__ void k(double *o) { *o *= 2; }\n"
NEEDS_MORE = "__global__ void k(double *o) { zipped(o); }\n"
# programs with an error, and whether those headers are read to mend it
PROGRAMS = {
    "#include <zipped.h>\n" + NEEDS_MORE: True,
    "#include <tipped.h>\n" + NEEDS_MORE: False,
    "__device__ void d() { sort_by_key; }\n__global__ void k(double *o) { d(); }\n": True,
    "__device__ void d() { tort_by_key; }\n__global__ void k(double *o) { d(); }\n": False,
    "__device__ void d() { to; }\n__global__ void k(double *o) { d(); }\n": False,
    "namespace n {}\nint a = n::sort_by_key;\n" + KERNEL: True,
    "namespace n {}\nint a = n::tort_by_key;\n" + KERNEL: False,
    "sort_by_key a;\n" + KERNEL: True,
    "tort_by_key a;\n" + KERNEL: False,
    "__global__ void k(double *o) { *o = o * o; }\n": True,
    "int a = 08;\n" + KERNEL: False,
    "int a b;\n" + KERNEL: False,
    "int a\udcff;\n" + KERNEL: False,
    "int f() ONLY_THERE { return 1; }\n" + KERNEL: True,
    "int f() NOT_THERE { return 1; }\n" + KERNEL: False,
    "int f() __device__ int g() { return 1; }\n" + KERNEL: False,
    "#define MINE ONLY_THERE\nint f() MINE { return 1; }\n" + KERNEL: True,
    "#define MINE NOT_THERE\nint f() MINE { return 1; }\n" + KERNEL: False,
    "#ifndef ONLY_THERE\nint a b;\n#endif\n" + KERNEL: True,
    "#ifndef ONLY_THERE\n  # error none\n#endif\n" + KERNEL: True,
    "#ifndef NOT_THERE\n#error none\n#endif\n" + KERNEL: False,
    "#define MINE ONLY_THERE\n#if !MINE\n#error none\n#endif\n" + KERNEL: True,
    "#if !__has_include(<zipped.h>)\n#error none\n#endif\n" + KERNEL: True,
    '#include "of_the_user.h"\n' + KERNEL: True,
    '#include "macros.h"\nint f() MINE { return 1; }\n' + KERNEL: True,
}
OF_THE_USER = {"of_the_user.h": "int f() ONLY_THERE { return 1; }\n", "macros.h": "#define MINE ONLY_THERE\n"}


@pytest.mark.parametrize("program", PROGRAMS)
def test_headers_are_read_where_they_may_mend_an_error(
    program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, content in {**HEADERS, **OF_THE_USER}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    monkeypatch.chdir(tmp_path)
    asked, read = [], []

    def noted(include: Path, *args: Any) -> bool:
        asked.append(include)
        return may_mend(include, *args)

    def parsed(path: str, arguments: list[str], *args: Any) -> TranslationUnit:
        read.append(str(tmp_path) in arguments)
        return TranslationUnit(path, arguments, *args)

    parse = importlib.import_module("cladpy.frontend.parse")
    monkeypatch.setattr(parse, "may_mend", noted)
    monkeypatch.setattr(given, "TranslationUnit", parsed)
    monkeypatch.setattr(toolkit, "toolkit_include", lambda: tmp_path)
    refusal(program)
    assert asked[0] == tmp_path
    assert any(read) == PROGRAMS[program]


@pytest.mark.parametrize(
    ("program", "times"),
    {
        "#error none\n" + KERNEL: 1,
        "#if __cplusplus < 202302L\n#error none\n#endif\n" + KERNEL: 1,
        "#ifdef NAMED\n#error none\n#endif\n" + KERNEL: 1,
        "#define MINE 1\n#ifdef MINE\n#error none\n#endif\n" + KERNEL: 1,
        "#ifndef NOWHERE\n#error none\n#endif\n" + KERNEL: 2,  # the C library's headers may define it
        "#if !__has_include(<math.h>)\n#endif\n#error none\n" + KERNEL: 2,
        "#include <tipped.h>\ntemplate <class T> __global__ void k(T *o) {}\n": 1,
        "#error none\ndouble k(double x) { return x; }\n": 1,
        "#error none\ndouble k(double x) { return y; }\n": 3,  # and for names like y
    }.items(),
)
def test_a_program_that_stops_is_read_once(program: str, times: int, monkeypatch: pytest.MonkeyPatch) -> None:
    read = []

    def parsed(*args: Any) -> TranslationUnit:
        read.append(args)
        return TranslationUnit(*args)

    monkeypatch.setattr(given, "TranslationUnit", parsed)
    monkeypatch.setattr(toolkit, "toolkit_include", lambda: None)
    monkeypatch.setattr(toolkit, "packages_include", lambda: None)
    refusal(program, defines={"NAMED": "1"})
    assert len(read) == times


def test_a_host_function_on_a_device_is_no_matter_of_headers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    read = []
    parse = importlib.import_module("cladpy.frontend.parse")
    monkeypatch.setattr(toolkit, "toolkit_include", lambda: tmp_path)
    monkeypatch.setattr(parse, "may_mend", lambda *args: read.append(args))
    refusal("double twice(double x) { return 2 * x; }\n__global__ void k(double *o) { *o = twice(*o); }\n")
    assert not read
