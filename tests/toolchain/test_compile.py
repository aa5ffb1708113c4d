"""Compiling derivatives for the host and for CUDA: includes, warnings, odd paths, dynamic shared memory, failures."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

import numpy as np
import pytest

import cladpy
from cladpy.diagnostics import ToolchainError, UsageError
from cladpy.options import Options
from cladpy.pipeline import differentiate
from cladpy.source import Source
from cladpy.toolchain import compile_cuda, compile_host
from cladpy.toolchain.cuda import normalize_arch
from cladpy.toolchain.discovery import find_host_compiler, find_nvcc
from cladpy.toolchain.entry import with_entry
from cladpy.toolchain.shared_memory import needs_dynamic_shared
from tests.runtime.derivatives import half, plane, product, scale

HOST_STRICT = ["-Wall", "-Wextra", "-Werror"]
NVCC_STRICT = ["-Werror=all-warnings", "-Xcompiler", "-Wall,-Wextra"]

# what compilers warn of, in the user's file and in what it includes
WARNED = "{ int unused; unsigned u = 3; int i = 4; if (i < u) return x * x; return x; }\n"


@pytest.mark.parametrize("make", [scale, plane, product, half])
def test_entries_compile_without_a_warning_for_the_host(make: object) -> None:
    made = make()  # type: ignore[operator]
    compile_host(with_entry(made), source=made.source, extra_flags=HOST_STRICT)


@pytest.mark.parametrize("make", [scale, plane, product, half])
def test_entries_compile_without_a_warning_under_nvcc(make: object) -> None:
    made = make("cuda")  # type: ignore[operator]
    path = compile_cuda(with_entry(made), source=made.source, arch="90", extra_flags=NVCC_STRICT)
    # the CUDA runtime is inside: the library loads on a machine that has none
    assert ctypes.CDLL(str(path)).cladpy_run_gradient


TOLD_APART = """
enum class Kind { square, cube };
__global__ void k(volatile double **x, const volatile double *y, Kind kind, double *z) {
  z[threadIdx.x] = kind == Kind::square ? x[0][threadIdx.x] * x[1][threadIdx.x] : y[threadIdx.x];
}
__global__ void k(double **, const double *, int, double *z) { z[threadIdx.x] = 0; }
"""


@pytest.mark.parametrize("target", ["host", "cuda"])
def test_entries_tell_the_original_from_others_of_its_name(target: str) -> None:
    source = Source.load(TOLD_APART)
    made = differentiate(
        source, "k(volatile double **, const volatile double *, Kind, double *)", "", Options(), target
    )
    if target == "host":
        compile_host(with_entry(made), source=source, extra_flags=HOST_STRICT)
    else:
        compile_cuda(with_entry(made), source=source, arch="90", extra_flags=NVCC_STRICT)


def users_file(folder: Path) -> Source:
    folder.mkdir(parents=True)
    (folder / "beside.h").write_text("#pragma once\nstatic __host__ __device__ double beside(double x) " + WARNED)
    (folder.parent / "above.h").write_text("static __host__ __device__ double above(double x) " + WARNED)
    main = folder / "pro gram,1.cu"
    main.write_text('#include "beside.h"\n#include "../above.h"\n__device__ double f(double x) ' + WARNED)
    return Source.load(main)


TEXT = '#include "pro gram,1.cu"\n__global__ void k(double *x) { *x = f(beside(above(*x))); }\n'


def test_users_warnings_do_not_count(tmp_path: Path) -> None:
    source = users_file(tmp_path / "a b,c" / "ö $x")
    compile_host(TEXT, source=source, extra_flags=HOST_STRICT)
    compile_cuda(TEXT, source=source, extra_flags=NVCC_STRICT)


def test_what_is_compiled_is_what_was_differentiated(tmp_path: Path) -> None:
    file = tmp_path / "value.cu"
    file.write_text("constexpr int value = 1;\n")
    source = Source.load(file)
    file.write_text("constexpr int value = 2;\n")
    text = '#include "value.cu"\nextern "C" int cladpy_get() { return value; }\n'
    assert ctypes.CDLL(str(compile_host(text, source=source))).cladpy_get() == 1


def test_a_header_that_has_changed_is_an_error(tmp_path: Path) -> None:
    """Before the first call: once it is compiled, nothing is read any more."""
    header, file = tmp_path / "deep" / "factor.h", tmp_path / "f.cu"
    header.parent.mkdir()
    header.write_text("#define FACTOR 2.0\n")
    file.write_text('#include "deep/factor.h"\ndouble f(double x) { return FACTOR * x; }\n')
    made, late, gone = (cladpy.gradient(file, "f", backend="host") for _ in range(3))
    assert made.primal.execute(1.0) == 2.0
    header.write_text("#define FACTOR 3.0\n")
    adjoint = np.zeros(1)
    with pytest.raises(ToolchainError, match=r"factor.h has changed since .* 'f' was made .*\nhint: call cladpy"):
        late.execute(1.0, adjoint)
    made.execute(1.0, adjoint)
    assert adjoint[0] == 2.0
    header.unlink()
    with pytest.raises(ToolchainError, match="has changed"):
        gone.primal.execute(1.0)
    header.write_text("#define FACTOR 2.0\n")
    assert gone.primal.execute(1.0) == 2.0


def test_include_directories_and_defines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "more headers"
    folder.mkdir()
    (folder / "more.h").write_text("#define MORE 40\n")
    text = '#include <more.h>\n#ifndef FLAG\n#error FLAG\n#endif\nextern "C" int get() { return MORE + TWO; }\n'
    monkeypatch.chdir(tmp_path)
    options = {"include_directories": ["more headers"], "defines": [("TWO", "(1 + 1)"), ("FLAG", "")]}
    assert ctypes.CDLL(str(compile_host(text, **options))).get() == 42  # type: ignore[arg-type]
    assert ctypes.CDLL(str(compile_cuda(text, **options))).get() == 42  # type: ignore[arg-type]


def test_errors_point_into_the_users_file(tmp_path: Path) -> None:
    file = tmp_path / 'a "quoted" file.cu'
    file.write_text("\n\nint f() { return x; }\n")
    with pytest.raises(ToolchainError, match=r'/a "quoted" file\.cu:3:18: error: .*\[CP0012\]\n    3 \| int f'):
        compile_host("#include <a.cu>\n", source=Source("a.cu", file.read_text(), file), extra_flags=["-I", "source"])


def test_arithmetic_is_not_contracted() -> None:
    text = 'extern "C" double f(double a, double b, double c) { return a * b + c; }\n'
    library = ctypes.CDLL(str(compile_host(text, extra_flags=["-O3", "-march=native"])))
    library.f.restype, library.f.argtypes = ctypes.c_double, [ctypes.c_double] * 3
    x = 1 + 2.0**-30
    assert library.f(x, x, -x * x) == 0.0


@pytest.mark.parametrize("std", ["c++11", "c++14", "gnu++17", "c++20"])
def test_standards(std: str) -> None:
    text = 'extern "C" long get() { return __cplusplus; }\n'
    library = ctypes.CDLL(str(compile_host(text, std=std)))
    library.get.restype = ctypes.c_long
    assert library.get() == (202002 if std == "c++20" else 201703) or std == "c++20"


def test_environment_adds_flags(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLADPY_HOST_FLAGS", "-O0 '-DTEXT=\"a b\"'")
    library = ctypes.CDLL(str(compile_host('extern "C" const char *get() { return TEXT; }\n')))
    library.get.restype = ctypes.c_char_p
    assert library.get() == b"a b"


def test_templates_of_two_libraries_share_nothing() -> None:
    text = """template <class T> __global__ void k(int *out) {{ __shared__ int tile[{n}]; __shared__ int after;
      for (int i = 0; i < {n}; ++i) tile[i] = {n}; after = {n}; *out = tile[0]; (void)after; }}
    template <class T> int count() {{ static int calls = 0; return calls += {n}; }}
    extern "C" int run(int *out) {{ cladpy::host::launch(1, 1, 0, nullptr, [&] {{ k<int>(out); }});
      return count<int>(); }}"""
    libraries = [ctypes.CDLL(str(compile_host(text.format(n=n)))) for n in (4, 4000)]
    out = ctypes.c_int()
    assert [lib.run(ctypes.byref(out)) for lib in libraries] == [4, 4000]
    assert [lib.run(ctypes.byref(out)) for lib in libraries] == [8, 8000]


DYNAMIC = """
namespace deep { __global__ void first(int *out) { extern __shared__ double a[]; a[threadIdx.x] = threadIdx.x;
  __syncthreads(); out[threadIdx.x] = int(a[blockDim.x - 1 - threadIdx.x]); } }
extern __shared__ __align__(16) unsigned char bytes[];
__global__ void second(int *out) {
  int *p = reinterpret_cast<int *>(bytes); p[threadIdx.x] = 7; out[threadIdx.x] = p[0];
}
extern "C" int run(int *out, int n) {
  int error = cladpy::host::launch(1, n, n * sizeof(double), nullptr, [&] { deep::first(out); });
  return error + cladpy::host::launch(1, n, n * sizeof(int), nullptr, [&] { second(out + n); });
}
"""


def test_dynamic_shared_memory_in_any_namespace() -> None:
    library = ctypes.CDLL(str(compile_host(DYNAMIC)))
    out = (ctypes.c_int * 200)()
    assert library.run(out, 100) == 0
    assert list(out) == [*range(99, -1, -1)] + [7] * 100


def test_dynamic_shared_memory_is_seen_in_the_source_and_in_its_headers(tmp_path: Path) -> None:
    header = tmp_path / "h.h"
    header.write_text("extern\n  __shared__ float x[];\n")
    assert needs_dynamic_shared("", None, [header])
    assert needs_dynamic_shared("", Source.load("__shared__ extern int x[];\n"), [])
    assert not needs_dynamic_shared("extern int y; __shared__ int x[3];", None, [tmp_path / "none"])


def test_arch() -> None:
    assert [normalize_arch(a) for a in (None, "90", "9.0", "sm_75", "compute_80", "sm_90a", "sm_120")] == [
        "sm_90",
        "sm_90",
        "sm_90",
        "sm_75",
        "sm_80",
        "sm_90a",
        "sm_120",
    ]
    for wrong in ("", "hopper", "sm_9", "sm_90 -x"):
        with pytest.raises(UsageError, match="arch must be like 'sm_90'"):
            normalize_arch(wrong)


def test_nvcc_errors_are_shown() -> None:
    with pytest.raises(ToolchainError, match=r'nvcc failed \(exit \d+\):\n(.*\n)*.*"nonsense" is undefined'):
        compile_cuda("__global__ void k() { nonsense(); }\n")


def test_compilers_that_are_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    with pytest.raises(ToolchainError, match=r"no C\+\+ compiler was found .*\nhint: install a C\+\+ compiler"):
        find_host_compiler()
    monkeypatch.setenv("CXX", "no-such-compiler -m64")
    with pytest.raises(ToolchainError, match=r"that CXX names, 'no-such-compiler', is not there"):
        find_host_compiler()
    monkeypatch.setattr("cladpy.toolchain.discovery.nvcc_candidates", lambda: iter([tmp_path / "nvcc"]))
    with pytest.raises(ToolchainError, match=r"nvcc, CUDA's compiler, was not found\nhint: "):
        find_nvcc()
    script = tmp_path / "nvcc"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o644)
    with pytest.raises(ToolchainError, match=r"nvcc is not executable\nhint: chmod"):
        find_nvcc()
    script.write_text("#!/no/such/interpreter\n")
    script.chmod(0o755)
    with pytest.raises(ToolchainError, match=r"nvcc does not run"):
        find_nvcc()


def test_nvcc_of_pypi_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    root = tmp_path / "site" / "nvidia" / "cu13"
    for folder in ("bin", "include/cccl", "lib"):
        (root / folder).mkdir(parents=True)
    script = root / "bin" / "nvcc"
    script.write_text("#!/bin/sh\necho 'Cuda compilation tools, release 13.9, V13.9.1'\n")
    script.chmod(0o755)
    for variable in ("CUDA_HOME", "CUDA_PATH"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("PATH", os.defpath + f":{tmp_path}")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    from cladpy.toolchain import discovery

    kept = [p for p in discovery.nvcc_candidates() if str(p).startswith(str(tmp_path))]
    assert kept == [script]
    monkeypatch.setattr(discovery, "nvcc_candidates", lambda: iter(kept))
    tool = find_nvcc()
    assert (tool.path, tool.release) == (str(script), "13.9")
    assert tool.flags == (f"-I{root}/include", f"-I{root}/include/cccl", f"-L{root}/lib")


@pytest.mark.parametrize("target", ["host", "cuda"])
def test_what_other_files_define_is_not_missed(target: str) -> None:
    source = Source.load(Path(__file__).parent / "apart.cu")
    made = with_entry(differentiate(source, "k", "", Options.make(), target))
    compiled = compile_host if target == "host" else compile_cuda
    library = ctypes.CDLL(str(compiled(made, source=source)))
    assert library.cladpy_run_gradient
    assert library.cladpy_run_primal
