"""What the preprocessor chooses: for every macro that a compiler defines by itself, what that compiler chooses."""

from __future__ import annotations

import math
import re
import shlex
import subprocess
from pathlib import Path

import numpy as np
import pytest

import cladpy
from cladpy.diagnostics import DifferentiationError, Sink, ToolchainError
from cladpy.frontend import parse
from cladpy.frontend.unit import predefined
from cladpy.ir.surface_text import format_program
from cladpy.options import Options
from cladpy.resources import include_dirs
from cladpy.runtime.order import host_workers
from cladpy.source import Source
from cladpy.toolchain import predefined as asking
from cladpy.toolchain.discovery import Tool, find_hipcc, find_host_compiler, find_nvcc

KERNEL = "__global__ void k(double *out, double x) { *out = x; }\n"
FUNCTION = "double f(double x) { return x; }\n"
INTEGER = re.compile(r"\(?[+-]?\d+[uUlL]*\)?")
# How each compiler is asked, and what is asked for; what tells the passes apart is written out here.
_LANGUAGE = "--expt-relaxed-constexpr --extended-lambda"
ASKED = {
    "host": (find_host_compiler, "-O2 -pthread -fPIC -x c++ -include cladpy/host.h -dM -E", ""),
    "cuda": (
        find_nvcc,
        f"-arch=sm_90 -O3 {_LANGUAGE} -Xcompiler -fPIC -E -Xcompiler -dM",
        "",
    ),
    "hip": (
        find_hipcc,
        "-x hip --offload-arch=gfx90a -O3 -munsafe-fp-atomics -fPIC -include cuda_runtime.h -dM -E",
        "--cuda-device-only",
    ),
}
HOST_PASS = {
    "cuda": "-Xcompiler -U__CUDA_ARCH__ -Xcompiler -UCUDA_DOUBLE_MATH_FUNCTIONS",
    "hip": "--cuda-host-only",
}


@pytest.fixture(autouse=True)
def no_flags_but_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other tests compile with flags that make some macros others (`tests.precompiled`)."""
    for name in ("CLADPY_HOST_FLAGS", "CLADPY_NVCC_FLAGS", "CLADPY_HIPCC_FLAGS"):
        monkeypatch.delenv(name, raising=False)


def defined(target: str, folder: Path, *, host: bool) -> dict[str, str]:
    """What a compiler prints for a file with nothing in it, by name; parameters are a part of this."""
    find, flags, device = ASKED[target]
    try:
        tool: Tool = find()
    except ToolchainError as error:
        pytest.skip(str(error))
    places = [part for folder_ in include_dirs(target) for part in ("-I", folder_)]
    more = shlex.split(HOST_PASS.get(target, "") if host else device)
    (folder / "empty.cu").write_text("")
    done = subprocess.run(
        [tool.path, *tool.flags, "-std=c++17", *places, *shlex.split(flags), *more, "empty.cu"],
        cwd=folder, env={"PATH": "/usr/local/bin:/usr/bin:/bin", **tool.environment},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    found = {}
    for line in done.stdout.splitlines():
        name, _, body = line.removeprefix("#define ").partition(" ")
        found[name] = body.strip()
    return found


def questions(macros: dict[str, str]) -> str:
    """Text that is an error wherever one of these is not what it is."""
    lines = []
    for name, body in macros.items():
        plain = name.partition("(")[0]
        lines += [f"#ifndef {plain}", f"#error {plain}: not defined", "#endif"]
        if plain == name and INTEGER.fullmatch(body):
            lines += [f"#if {plain} != {body}", f"#error {plain}: another value", "#endif"]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(("target", "host"), [(t, h) for t in ASKED for h in (False, True)])
def test_every_macro_of_the_compiler_is_defined_as_it_says(target: str, host: bool, tmp_path: Path) -> None:
    macros = defined(target, tmp_path, host=host)
    if target == "host" and host:
        del macros["__CUDA_ARCH__"]
    unsettled = asking.macros_of(target, "c++17", None).unsettled  # refused, as another test shows
    macros = {name: body for name, body in macros.items() if name.partition("(")[0] not in unsettled}
    assert len(macros) > 1000
    clang = ("-x", "cuda", "--cuda-host-only" if host else "--cuda-device-only", "--cuda-gpu-arch=sm_90", "-nocudainc",
             "-nocudalib", "-std=c++17")  # fmt: skip
    names = {name.partition("(")[0] for name in macros}
    absent = sorted(predefined(clang) - names)
    assert "__clang__" in absent or target == "hip"
    others = "".join(f"#ifdef {name}\n#error {name}: defined\n#endif\n" for name in absent)
    text = questions(macros) + others + (FUNCTION if host else KERNEL)
    try:
        parse(Source.load(text), "f" if host else "k", Options.make(), Sink(), target=target)
    except DifferentiationError as error:
        wrong = [d.message for d in error.diagnostics]
        raise AssertionError(f"{len(wrong)}: {wrong}") from None


def slopes(text: str | Path, function: str, **options: object) -> tuple[float, float]:
    """Of a function that multiplies by what the preprocessor chooses: its value at one, and its gradient there."""
    gradient = cladpy.gradient(text, function, backend="host", **options)  # type: ignore[arg-type]
    adjoint = np.zeros(1)
    gradient.execute(1.0, adjoint)
    return float(gradient.primal.execute(1.0)), float(adjoint[0])  # type: ignore[arg-type]


def test_a_gradient_on_the_host_takes_the_branches_of_its_primal(tmp_path: Path) -> None:
    """All of them, each with its part in one number; whichever way kernels run. What is not the same is refused."""
    apart = asking.macros_of("host", "c++17", None).unsettled
    assert "CLADPY_HOST_FIBERS" in apart
    assert {n for n in apart if not n.startswith("CLADPY_")} <= {"__NO_TRAPPING_MATH__"}
    asked = "".join(f"#ifdef {name}\n#endif\n" for name in sorted(apart)) + FUNCTION
    with pytest.raises(DifferentiationError) as caught:
        cladpy.gradient(asked, "f", backend="host")
    found = caught.value.diagnostics
    assert [(d.code, d.span.line) for d in found if d.span] == [("CP0013", 2 * k + 1) for k in range(len(apart))]
    known = {n.partition("(")[0] for n in defined("host", tmp_path, host=True)} | predefined(("-x", "cuda"))
    names = sorted(known - apart - {"CLADPY_PHASES"})  # which is for emitted code alone
    parts = [
        f"#ifdef {name}\n  , S{k} = (S{k - 1} * 31 + {k % 7 + 1}) % 1000003\n"
        f"#else\n  , S{k} = (S{k - 1} * 31 + {k % 7 + 9}) % 1000003\n#endif\n"
        for k, name in enumerate(names, 1)
    ]
    text = f"enum {{ S0 = 1\n{''.join(parts)}}};\ndouble f(double x) {{ return x * S{len(names)}; }}\n"
    for workers in (False, True):
        with host_workers(workers):
            value, slope = slopes(text, "f")
        assert value == slope != 0


def test_what_headers_that_nobody_named_define_is_defined() -> None:
    text = """
#ifndef M_PI
#define M_PI 3
#endif
#ifndef RAND_MAX
#define RAND_MAX 7
#endif
__host__ __device__ double f(double x) { return x * M_PI * (RAND_MAX > 7 ? 1 : 2); }
"""
    assert slopes(text, "f") == (math.pi, math.pi)
    for target in ("cuda", "hip", "host"):
        program = parse(Source.load(text), "f", Options.make(), Sink(), target=target)
        assert "3.14159265358979" in format_program(program)


def test_names_that_the_program_defines_are_its_own() -> None:
    text = """
#undef M_PI
#define M_PI 2.0
#pragma push_macro("M_E")
#undef M_E
#define M_E 3.0
constexpr double e = M_E;
#pragma pop_macro("M_E")
#define STRING "__GNUC__ of linux"  // __GNUC__
#define __clang_major__ 5.0
double f(double x) { return x * M_PI * e * M_E * __clang_major__ * (sizeof(STRING) == 18); }
"""
    assert slopes(text, "f") == pytest.approx((30 * math.e, 30 * math.e), rel=1e-15)


def test_files_that_are_included_are_read_as_the_file_is(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "factor.h").write_text('#include "more.h"\n#define FACTOR (MORE + __GNUC__)\n')
    (tmp_path / "inner" / "more.h").write_text("#ifdef __clang__\n#define MORE 100\n#else\n#define MORE 200\n#endif\n")
    (tmp_path / "f.cu").write_text(
        "#define FILE <factor.h>\n#include FILE\ndouble f(double x) { return x * FACTOR; }\n"
    )
    value, slope = slopes(tmp_path / "f.cu", "f", include_dirs=[tmp_path / "inner"])
    assert value == slope > 200


def test_errors_have_the_names_that_were_written() -> None:
    text = "__global__ void k(double *y) { *y = __clang__; }\n#if __GNUC__\n#error at __GNUC__\n#endif\n"
    with pytest.raises(DifferentiationError) as caught:
        parse(Source.load(text), "k", Options.make(), Sink(), target="host")
    messages = [d.message for d in caught.value.diagnostics]
    assert messages == ["use of undeclared identifier '__clang__'", "at __GNUC__"]


QUESTIONS = """
#if defined(__has_feature)
#error g++ 12 has none
#endif
#if !__has_builtin(__builtin_expect) || __has_builtin(__builtin_nothing) || __has_cpp_attribute(nodiscard) < 201603L
#error direct
#endif
#ifdef __has_attribute
#define HAS(x) __has_attribute(x)
#endif
#if !HAS(noinline) || HAS(nothing) || HAS(enable_if)
#error in a macro
#endif
"""


def test_questions_are_the_compilers() -> None:
    """`enable_if` is an attribute of clang's alone."""
    if find_host_compiler().is_clang:
        pytest.skip("the host's compiler is a clang")
    for target in ("host", "cuda"):
        parse(Source.load(QUESTIONS + KERNEL), "k", Options.make(), Sink(), target=target)


def test_where_there_is_no_compiler_nvcc_and_gxx_are_what_is_documented(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent() -> Tool:
        raise ToolchainError("absent")

    monkeypatch.setattr(asking, "nvcc_place", absent)
    monkeypatch.setattr(asking, "host_compiler_place", absent)
    monkeypatch.setenv("CXX", "nowhere")  # so that nothing is known of it
    text = """
#if defined(__clang__) || __GNUC__ != 12 || !__OPTIMIZE__ || !__NVCC__ || __CUDACC_VER_MAJOR__ != 13
#error
#endif
#if !defined(__DRIVER_TYPES_H__) || !defined(__CUDA_RUNTIME_H__) || !defined(__VECTOR_TYPES_H__)
#error
#endif
#if __has_cpp_attribute(nodiscard) < 1
#error
#endif
"""
    for target, arch in (("cuda", "800"), ("host", "900")):
        own = f"{text}#if __CUDA_ARCH__ != {arch}\n#error\n#endif\n"
        parse(Source.load(own + KERNEL), "k", Options.make(arch="sm_80"), Sink(), target=target)
    with pytest.raises(DifferentiationError, match="CP0013"):
        parse(Source.load(f"#if __has_builtin(x)\n#endif\n{KERNEL}"), "k", Options.make(), Sink(), target="cuda")


def test_where_there_is_no_hipcc_what_it_includes_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent() -> Tool:
        raise ToolchainError("absent")

    monkeypatch.setattr(asking, "hipcc_place", absent)
    monkeypatch.setenv("CLADPY_HIPCC_FLAGS", "-DNOWHERE")  # so that nothing is known of it
    text = """
#if !defined(M_PI) || !defined(RAND_MAX) || !__HIPCC__ || defined(__NVCC__) || defined(M_TAU)
#error
#endif
#ifdef __HIP_DEVICE_COMPILE__
#define DEVICE
#endif
__global__ void k(double *y) {
#ifndef DEVICE
  undefined();
#endif
  *y *= M_PI;
}
"""
    program = parse(Source.load(text), "k", Options.make(), Sink(), target="hip")
    assert "3.14159265358979" in format_program(program)
    for name in ("__GFX9__", "__GFX11__", "__gfx1100__"):
        asked = f"#ifdef {name}\n#endif\n{KERNEL}"
        with pytest.raises(DifferentiationError, match="CP0013"):
            parse(Source.load(asked), "k", Options.make(arch="gfx1100"), Sink(), target="hip")
        parse(Source.load(asked), "k", Options.make(arch="gfx90a"), Sink(), target="hip")


SIDES = """
__host__ __device__ double g(double x) {
#ifdef __CUDA_ARCH__
  return x * 3;
#else
  return x * 5;
#endif
}
double f(double x) { return g(x); }
__global__ void k(double *y, double x) { *y = g(x); }
double launched(double x) {
  double *y, result = 0;
  cudaMalloc(&y, sizeof(double));
  k<<<1, 1>>>(y, x);
  cudaMemcpy(&result, y, sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(y);
  return result * g(1.0);
}
"""


def test_the_host_has_device_branches_where_kernels_run() -> None:
    assert slopes(SIDES, "f") == (5.0, 5.0)
    assert slopes(SIDES, "g") == (3.0, 3.0)
    assert slopes(SIDES, "launched") == (9.0, 9.0)
