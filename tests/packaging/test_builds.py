"""Programs with gradients, built as users build them: `cladpy_add_gradient` in CMake, and nvcc alone."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import cladpy
from cladpy.cli import run as cladpy_command
from cladpy.toolchain.discovery import find_nvcc

ROOT = Path(__file__).parents[2]
HEAT = ROOT / "examples" / "heat"
# CMake and Ninja come with the tests' packages, as nvcc does; but CMake takes only the nvcc of a toolkit.
needs_cuda = pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no CUDA toolkit")
Generator = tuple[str, str]
GENERATORS = [pytest.param((name, tool), id=tool) for name, tool in (("Ninja", "ninja"), ("Unix Makefiles", "make"))]


def run(*command: str | Path, good: bool = True) -> str:
    """Runs a command; gives all that it prints, after a look at whether it went as it should."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    assert (done.returncode == 0) == good, done.stdout + done.stderr
    return done.stdout + done.stderr


def configure(folder: Path, *more: str, good: bool = True) -> str:
    python = f"-DPython3_EXECUTABLE={sys.executable}"
    return run("cmake", "-S", folder, "-B", folder / "build", python, *more, good=good)


def touch(path: Path) -> None:
    """As if the file had been saved after all that has been built."""
    latest = max(p.stat().st_mtime for p in path.parent.rglob("*") if p.is_file())
    os.utime(path, (latest + 1, latest + 1))


def losses(text: str) -> list[float]:
    return [float(found) for found in re.findall(r"loss ([\d.]+)", text)]


@pytest.mark.parametrize("generator", GENERATORS)
def test_the_example_on_the_cpu(tmp_path: Path, generator: Generator) -> None:
    folder = tmp_path / "heat in a rod"
    shutil.copytree(HEAT, folder, ignore=shutil.ignore_patterns("build"))
    build = folder / "build"
    configure(folder, "-G", generator[0], "-DHEAT_ON_CPU=ON")
    assert "Differentiating misfit" in run("cmake", "--build", build)
    first = losses(run(build / "heat"))
    assert len(first) == 6
    assert first == sorted(first, reverse=True)
    assert first[-1] < 0.1 * first[0]
    assert f"loss {first[0]:.6f}\n    loss {first[1]:.6f}" in (HEAT / "README.md").read_text()

    assert not {"Differentiating", "Building"} & set(run("cmake", "--build", build).split())

    header = folder / "profile.h"
    header.write_text(header.read_text().replace("0.25", "0.35"))
    touch(header)
    assert "Differentiating misfit" in run("cmake", "--build", build)
    assert losses(run(build / "heat"))[0] < first[0]


@needs_cuda
def test_the_example_with_cuda(tmp_path: Path) -> None:
    """Compiled and linked; running it takes a GPU."""
    folder = tmp_path / "heat"
    shutil.copytree(HEAT, folder, ignore=shutil.ignore_patterns("build"))
    configure(folder, "-DCMAKE_CUDA_ARCHITECTURES=90")
    assert "Differentiating misfit" in run("cmake", "--build", folder / "build")
    assert os.access(folder / "build" / "heat", os.X_OK)


def test_the_example_with_nvcc_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands of its page, without a warning of nvcc's."""
    for path in HEAT.iterdir():
        if path.is_file():
            shutil.copy(path, tmp_path)
    monkeypatch.chdir(tmp_path)
    page = (HEAT / "README.md").read_text()
    assert 'cladpy gradient heat.cu -f misfit --args "start, nu" -o misfit_grad.cu' in page
    gradient = ["gradient", "heat.cu", "-f", "misfit", "--args", "start, nu", "-o", "misfit_grad.cu"]
    assert cladpy_command(gradient) == 0
    tool = find_nvcc()
    command = [tool.path, *tool.flags, "-std=c++17", "-Werror", "all-warnings", "main.cu"]
    environment = {**os.environ, **tool.environment}
    command += ["-I", cladpy.include_dirs()[0], "-o", "heat"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert os.access("heat", os.X_OK)


def test_a_program_for_kokkos(tmp_path: Path) -> None:
    """What is emitted includes Kokkos by the target's folders; here a small library with its interface."""
    kokkos = ROOT / "tests" / "kokkos"
    (tmp_path / "CMakeLists.txt").write_text(f"""
cmake_minimum_required(VERSION 3.20)
project(p LANGUAGES CXX)
include("{ROOT}/cmake/CladpyGradient.cmake")
add_executable(p main.cpp)
target_include_directories(p PRIVATE "{kokkos}/standin" "{kokkos}/programs")
cladpy_add_gradient(p SOURCES "{kokkos}/programs/sums.cpp" FUNCTION norm ARGS v TARGET kokkos OUTPUT norm_grad.hpp)
""")
    (tmp_path / "main.cpp").write_text("""#include "norm_grad.hpp"
int main() {
  const Vector v("v", 2);
  v(0) = 3, v(1) = 4;
  Vector gradient("gradient", 2);
  norm_grad(v, gradient);
  std::cout << gradient(0) << " " << gradient(1) << "\\n";
}
""")
    configure(tmp_path)
    assert "Differentiating norm" in run("cmake", "--build", tmp_path / "build")
    assert run(tmp_path / "build" / "p") == "0.6 0.8\n"


def test_gradients_that_several_files_call(tmp_path: Path) -> None:
    """One by its header, one that each file includes, of a header itself."""
    (tmp_path / "CMakeLists.txt").write_text(f"""
cmake_minimum_required(VERSION 3.20)
project(p LANGUAGES CXX)
include("{ROOT}/cmake/CladpyGradient.cmake")
add_executable(p main.cpp other.cpp)
cladpy_add_gradient(p SOURCES cube.cu FUNCTION cube TARGET host NAMESPACE mine HEADER)
cladpy_add_gradient(p SOURCES square.cuh FUNCTION square TARGET host NAMESPACE mine INLINE OUTPUT square_grad.cuh)
""")
    (tmp_path / "cube.cu").write_text("double cube(double x) { return x * x * x; }\n")
    (tmp_path / "square.cuh").write_text("#pragma once\ninline double square(double x) { return x * x; }\n")
    includes = '#include "cube_grad.h"\n#include "square_grad.cuh"\n'
    (tmp_path / "other.cpp").write_text(f"""{includes}
double at(double x) {{ double d = 0; mine::cube_grad(x, &d); mine::square_grad(x, &d, 10); return d; }}
""")
    (tmp_path / "main.cpp").write_text(f"""{includes}#include <cstdio>
double at(double);
int main() {{ double d = 0; mine::cube_grad(2, &d); mine::square_grad(2, &d); std::printf("%g %g\\n", d, at(3)); }}
""")
    configure(tmp_path)
    run("cmake", "--build", tmp_path / "build")
    assert run(tmp_path / "build" / "p") == "16 87\n"


def test_the_package_is_found_in_versions_that_fit(tmp_path: Path) -> None:
    def found(asked: str, *, good: bool = True) -> str:
        (tmp_path / "CMakeLists.txt").write_text(
            f"cmake_minimum_required(VERSION 3.20)\nproject(p LANGUAGES NONE)\nfind_package(cladpy "
            f"{asked} REQUIRED CONFIG)\n"
            'message(STATUS "cladpy is ${cladpy_VERSION}")\nif(NOT COMMAND cladpy_add_gradient)\n'
            'message(FATAL_ERROR "no command")\nendif()\n'
        )
        return configure(tmp_path, f"-Dcladpy_DIR={cladpy.cmake_dir()}", good=good)

    major, minor = cladpy.__version__.split(".")[:2]
    for asked in ("", f"{major}.{minor}", cladpy.__version__, f"{cladpy.__version__} EXACT"):
        assert f"cladpy is {cladpy.__version__}" in found(asked)
    for asked in (f"{major}.{int(minor) + 1}", f"{int(major) + 1}", "0.0"):
        assert cladpy.__version__ in found(asked, good=False)


# ---- what the function takes ----------------------------------------------------------------------------------------

CMAKE = """
cmake_minimum_required(VERSION 3.20)
project(p LANGUAGES {languages})
include("{module}/CladpyGradient.cmake")
add_executable(p main.cpp)
{rest}
"""
SCALE = """
#include <scale.h>
#include "beside.h"
template <class T>
T scaled(T x) { return SCALE * FACTOR * BESIDE * x; }
"""
MAIN = """
#include <cstdio>
#include "scaled_double_grad.cu"
int main() {
  double d = 0;
  scaled_grad(1.0, &d);
  std::printf("%g %g\\n", scaled(1.0), d);
}
"""
Project = Callable[..., Path]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    def make(rest: str, languages: str = "CXX", **files: str) -> Path:
        folder = tmp_path / "p"
        for name in ("", "inc lude", "src"):
            (folder / name).mkdir(parents=True)
        (folder / "inc lude" / "scale.h").write_text("#define SCALE 2\n")
        (folder / "src" / "beside.h").write_text("#define BESIDE 3\n")
        (folder / "src" / "scaled.cu").write_text(SCALE)
        (folder / "main.cpp").write_text(MAIN)
        for name, text in files.items():
            (folder / name.replace("_cu", ".cu")).write_text(text)
        text = CMAKE.format(languages=languages, module=cladpy.cmake_dir(), rest=rest)
        (folder / "CMakeLists.txt").write_text(text)
        return folder

    return make


CALL = 'cladpy_add_gradient(p SOURCES src/scaled.cu FUNCTION "scaled<double>" TARGET host'


@pytest.mark.parametrize(
    "rest",
    [
        'target_include_directories(p PRIVATE "inc lude")\n'
        f"{CALL})\ntarget_compile_definitions(p PRIVATE $<$<COMPILE_LANGUAGE:CXX>:FACTOR=7>)",
        f'{CALL} INCLUDE_DIRECTORIES "inc lude" DEFINITIONS "FACTOR=(5 + 2)" NO_TARGET_PROPERTIES)',
    ],
    ids=["of the target", "named"],
)
def test_the_program_is_read_as_it_is_compiled(project: Project, rest: str) -> None:
    folder = project(rest)
    configure(folder)
    run("cmake", "--build", folder / "build")
    assert run(folder / "build" / "p") == "42 42\n"


def test_a_program_without_a_derivative_fails_the_build(project: Project) -> None:
    """With what cladpy says, and until it is put right."""
    folder = project(f'{CALL} INCLUDE_DIRECTORIES "inc lude" DEFINITIONS FACTOR=1)')
    configure(folder)
    source = folder / "src" / "scaled.cu"
    source.write_text(SCALE.replace("return", 'asm volatile("nop");\n  return'))
    output = run("cmake", "--build", folder / "build", good=False)
    assert re.search(r"scaled\.cu:5:\d+: error\[?.*CP0\d{3}", output), output
    assert "Traceback" not in output
    source.write_text(SCALE)
    run("cmake", "--build", folder / "build")
    assert run(folder / "build" / "p") == "6 6\n"


@needs_cuda
def test_several_files_are_one_program(project: Project) -> None:
    kernel = "__global__ void k(double *x) { *x *= FACTOR; }\nvoid launch(double *x) { k<<<1, 1>>>(x); }\n"
    entry = "void launch(double *);\nvoid f(double *x) { launch(x); }\n"
    main = '#include "f_grad.cu"\nint main() { double x = 1, d = 1; f_grad(&x, &d); }\n'
    call = "cladpy_add_gradient(q SOURCES kernel.cu entry.cu FUNCTION f DEFINITIONS FACTOR=2)"
    files = {"kernel_cu": kernel, "entry_cu": entry, "q_cu": main}
    folder = project(f"add_executable(q q.cu)\n{call}", "CXX CUDA", **files)
    configure(folder, "-DCMAKE_CUDA_ARCHITECTURES=90")
    assert "Differentiating f" in run("cmake", "--build", folder / "build", "--target", "q")


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        ("cladpy_add_gradient(q SOURCES a.cu FUNCTION f)", "there is no target 'q'"),
        ("cladpy_add_gradient(p SOURCES src/scaled.cu)", "needs SOURCES and FUNCTION"),
        ("cladpy_add_gradient(p SOURCES a.cu FUNCTION f ARGS x y)", "y is not understood; quote lists"),
        (
            "cladpy_add_gradient(p SOURCES a.cu FUNCTION f TARGET opencl)",
            "TARGET is cuda, hip, host or kokkos, not opencl",
        ),
        ("cladpy_add_gradient(p SOURCES a.cu b.cu FUNCTION f TARGET host)", "TARGET host takes one file"),
        (f"{CALL})\n{CALL})", "p has a gradient in scaled_double_grad.cu already"),
    ],
)
def test_wrong_usage_is_told_when_the_build_is_configured(project: Project, rest: str, message: str) -> None:
    output = " ".join(configure(project(rest), good=False).split())
    assert message in output


def test_an_interpreter_without_cladpy_is_named(project: Project) -> None:
    output = " ".join(configure(project(""), "-DCLADPY_PYTHON=/bin/false", good=False).split())
    assert "'/bin/false' cannot import cladpy: set CLADPY_PYTHON" in output


def test_a_source_that_is_compiled_twice_is_told(project: Project) -> None:
    rest = f"target_sources(p PRIVATE src/scaled.cu)\n{CALL})"
    assert "p compiles src/scaled.cu, which the gradient includes" in configure(project(rest))
