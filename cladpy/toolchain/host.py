"""CUDA C++ to a library for the CPU, by the host's C++ compiler and <cladpy/host.h>."""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from cladpy.diagnostics import ToolchainError
from cladpy.resources import include_dirs
from cladpy.source import Source
from cladpy.toolchain.build import EXPORTS, SOURCE_FLAGS, Unit, build, run_compiler, user_flags
from cladpy.toolchain.complaints import complaint
from cladpy.toolchain.discovery import Tool, find_host_compiler
from cladpy.toolchain.shared_memory import define_dynamic_shared, needs_dynamic_shared

_ASSERTIONS = "_ZSt21__glibcxx_assert_failPKciS0_S0_"
# For lines of the source behind an address, for indices into arrays of known length, and into the library's containers.
CHECKED_FLAGS = (
    "-g",
    "-fno-omit-frame-pointer",
    "-DCLADPY_FRAMES",
    "-fsanitize=bounds",
    "-fsanitize-undefined-trap-on-error",
    "-D_GLIBCXX_ASSERTIONS",
    *(("-DCLADPY_HOST_WRAPS_ASSERTIONS", f"-Wl,--wrap={_ASSERTIONS}") if sys.platform.startswith("linux") else ()),
)


def compile_host(
    text: str,
    *,
    source: Source | None = None,
    dependencies: Sequence[str | Path] = (),
    std: str = "c++17",
    include_directories: Sequence[str | Path] = (),
    defines: Sequence[tuple[str, str]] = (),
    optimize: str = "-O2",
    extra_flags: Sequence[str] = (),
    workers: bool = False,
) -> Path:
    """Compiles `text`, before which <cladpy/host.h> is included, to a shared library; the library's path.

    `source` is the user's program, which `text` may include by the last part of its name. `dependencies` are all files
    that the compilation reads (the cache watches them). Kernels run on all cores, by code for this machine, where
    `workers` says so; else on one thread in an order that can be chosen. The environment variable CLADPY_HOST_FLAGS
    adds flags, such as `-O0 -g`. Raises ToolchainError where there is no compiler, or where it fails.
    """
    tool = find_host_compiler()
    flags = [
        *host_flags(std, "-O3" if workers else optimize),
        *(_for_workers(tool) if workers else FIBERS),
        *fixed_flags(tool),
        *user_flags(include_directories, defines),
        *_cuda_library(dependencies),
        *extra_flags,
        *shlex.split(os.environ.get("CLADPY_HOST_FLAGS", "")),
    ]
    places = [part for folder in include_dirs("host") for part in ("-I", folder)]
    unit = Unit(text, source, dependencies)

    def explained(compiler: str, output: str) -> ToolchainError | None:
        return None if source is None else complaint(output, compiler, text, source, dependencies)

    def compile_in(folder: Path) -> Path:
        wraps = ["-DCLADPY_HOST_WRAPS_EXIT"] if _wraps_exit() else []
        first = [*places, *SOURCE_FLAGS, *wraps, "-include", "cladpy/host.h"]
        if needs_dynamic_shared(text, source, dependencies):
            run_compiler(tool, [*flags, *first, "-c", "unit.cpp", "-o", "unit.o"], folder, explained)
            define_dynamic_shared(folder / "unit.o", folder / "shared.s", folder / "shared.cpp")
            parts = ["unit.o", "shared.s", "shared.cpp", "-o", "unit.so"]
            run_compiler(tool, ["-fPIC", *extra_flags, *_link_flags(), *parts], folder)
        else:
            run_compiler(tool, [*flags, *first, *_link_flags(), "unit.cpp", "-o", "unit.so"], folder, explained)
        return folder / "unit.so"

    return build(unit, tool, ".cpp", [*flags, *places], compile_in)


def host_flags(std: str, optimize: str = "-O2") -> list[str]:
    """What decides which macros are defined, beside the user's own flags."""
    return [f"-std={_standard(std)}", optimize]


def _standard(std: str) -> str:
    """The host executor is C++17; older standards are raised to it."""
    match = re.fullmatch(r"(c|gnu)\+\+(\w+)", std)
    if match and match[2] in ("98", "03", "0x", "11", "1y", "14", "1z"):
        return f"{match[1]}++17"
    return std


def fixed_flags(tool: Tool) -> list[str]:
    """What every unit is compiled with, whatever else was asked for."""
    # Arithmetic as written: no contraction of a*b+c, so that the primal's values are the original's. Memory may be read
    # as another type than it was written as, as nvcc lets programs do: halves that are moved as float4 are no zeros.
    # `int n[] = {0.0}` is what nvcc warns of.
    flags = ["-ffp-contract=off", "-fno-strict-aliasing", "-fPIC", "-pthread", "-ffunction-sections", "-fdata-sections"]
    flags.append("-Wno-c++11-narrowing" if tool.is_clang else "-Wno-narrowing")
    if not tool.is_clang:
        # Two libraries must not share a template's static variables; and shared memory is never initialised.
        # Nor does another library define the program's functions: they may be inlined, as `always_inline` asks.
        flags += ["-fno-gnu-unique", "-fno-extern-tls-init", "-fno-semantic-interposition"]
    return flags


def _cuda_library(dependencies: Sequence[str | Path]) -> list[str]:
    """Where CUDA's C++ library is that a program includes: any compiler takes its headers, but for what they make of
    the toolkit's halves, in whose place there are ours."""
    folders = (str(path).partition("/cuda/std/") for path in dependencies)
    found = next((folder for folder, is_part, _ in folders if is_part and folder not in include_dirs("host")), None)
    types = ("FP16", "BF16", "NVFP8")
    return [] if found is None else ["-idirafter", found, *(f"-DCCCL_DISABLE_{name}_SUPPORT" for name in types)]


# How a unit is told which way its kernels run.
WORKERS = ("-fno-trapping-math", "-fopenmp-simd", "-DCLADPY_HOST_ONE_UNIT")
FIBERS = ("-DCLADPY_HOST_FIBERS",)
# What loops over threads may use, as the processor tells it and as GCC calls it. Arithmetic is the same with all.
_VECTORS = {
    "avx": "avx",
    "avx2": "avx2",
    "avx512f": "avx512f",
    "avx512vl": "avx512vl",
    "avx512dq": "avx512dq",
    "avx512bw": "avx512bw",
}

# A loop of vectors asks first whether arrays overlap: gradients have twice as many as the ten pairs that GCC allows.
_MANY_ARRAYS = "--param=vect-max-version-for-alias-checks=100"


def portable_flags(std: str) -> list[str]:
    """What others compile a unit with, on a machine that is not this one: for all cores, and any processor."""
    gcc = ["-fno-gnu-unique", "-fno-extern-tls-init"]
    always = ["-ffp-contract=off", "-fPIC", "-pthread", "-fvisibility=hidden", "-ffunction-sections", "-fdata-sections"]
    return [*host_flags(std), *WORKERS, *always, *gcc]


PORTABLE_LINK_FLAGS = ("-shared", "-pthread", "-Wl,-Bsymbolic", "-Wl,--gc-sections")


def _for_workers(tool: Tool) -> list[str]:
    """Loops over threads become loops of vectors where the kernel is a part of them, where no operation traps, and
    where indices do not wrap around (<cladpy/host/scheduler.h>). They use what the processor has, and they alone: a
    flag for all would define macros that the program was not read with."""
    flags = [*WORKERS]
    vectors = ",".join(name for told, name in _VECTORS.items() if told in _features())
    if vectors:
        flags.append(f'-DCLADPY_HOST_TARGET=target("{vectors}"),')
    return flags if tool.is_clang else [*flags, "-fno-semantic-interposition", _MANY_ARRAYS]


def _features() -> frozenset[str]:
    """What the processor says that it has; nothing where that is not known."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return frozenset()
    found = re.search(r"^flags\s*:(.*)$", text, re.MULTILINE)
    return frozenset(found[1].split()) if found else frozenset()


def _wraps_exit() -> bool:
    """Whether the linker leads calls that end the process to functions of <cladpy/host/guards.h>."""
    return sys.platform.startswith("linux")


_EXITS = ("exit", "_exit", "_Exit", "quick_exit")


def _link_flags() -> list[str]:
    """A library whose own definitions win over those of the program that loads it."""
    flags = ["-shared", "-pthread"]
    if _wraps_exit():
        flags += [f"-Wl,--wrap={name}" for name in _EXITS]
    if sys.platform.startswith("linux"):
        flags += ["-Wl,-Bsymbolic", "-Wl,--gc-sections", f"-Wl,--version-script={EXPORTS}"]
    return flags
