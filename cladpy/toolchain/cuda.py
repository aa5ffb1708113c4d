"""CUDA C++ to a library with device code, by nvcc."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Sequence
from pathlib import Path

from cladpy.diagnostics import UsageError
from cladpy.resources import include_dirs
from cladpy.source import Source
from cladpy.toolchain.build import EXPORTS, SOURCE_FLAGS, Unit, build, mentions, run_compiler, user_flags
from cladpy.toolchain.discovery import find_nvcc

DEFAULT_ARCH = "sm_90"
_CUBLAS = re.compile(r'#\s*include\s*[<"](cublas\w*|cladpy/blas)\.h[>"]')


def compile_cuda(
    text: str,
    *,
    source: Source | None = None,
    dependencies: Sequence[str | Path] = (),
    std: str = "c++17",
    include_directories: Sequence[str | Path] = (),
    defines: Sequence[tuple[str, str]] = (),
    arch: str | None = None,
    extra_flags: Sequence[str] = (),
) -> Path:
    """Compiles `text` to a shared library with device code for `arch` (sm_90 if None); the library's path.

    `source` is the user's program, which `text` may include by the last part of its name. `dependencies` are all files
    that the compilation reads (the cache watches them). The CUDA runtime is linked in statically, so that the library
    needs no other; it works in whatever context is current. CLADPY_NVCC_FLAGS adds flags. Raises ToolchainError where
    there is no nvcc, or where it fails.
    """
    tool = find_nvcc()
    flags = [
        *nvcc_flags(std, arch),
        *user_flags(include_directories, defines),
        *extra_flags,
        *shlex.split(os.environ.get("CLADPY_NVCC_FLAGS", "")),
    ]
    libraries = ["-lcublas"] if mentions(_CUBLAS, text, source, dependencies) else []
    places = [*(f for d in include_dirs("cuda") for f in ("-I", d)), *_host_flags(SOURCE_FLAGS)]

    def compile_in(folder: Path) -> Path:
        link = ["-shared", "-cudart=static", "-Xlinker=-Bsymbolic", "-Xlinker=--gc-sections"]
        link.append(f"-Xlinker=--version-script={EXPORTS}")
        run_compiler(tool, [*flags, *places, *link, "unit.cu", *libraries, "-o", "unit.so"], folder)
        return folder / "unit.so"

    return build(Unit(text, source, dependencies), tool, ".cu", [*flags, *places, *libraries], compile_in)


def unit_flags(std: str) -> list[str]:
    """What others compile a unit with, for a GPU that they name."""
    flags = [f for f in nvcc_flags(std, None) if not f.startswith("-arch")]
    return [*flags, *_host_flags(["-fvisibility=hidden"]), "-shared", "-cudart=static", "-Xlinker=-Bsymbolic"]


def nvcc_flags(std: str, arch: str | None) -> list[str]:
    """What every unit is compiled with."""
    return [
        f"-std={std}",
        f"-arch={normalize_arch(arch)}",
        "-O3",
        "--expt-relaxed-constexpr",
        "--extended-lambda",
        # Two libraries must not share a template's static variables.
        *_host_flags(["-fPIC", "-fno-gnu-unique", "-ffunction-sections", "-fdata-sections"]),
    ]


def normalize_arch(arch: str | None) -> str:
    """`90`, `9.0`, `sm_90` and `compute_90` as `sm_90`. Raises UsageError for what is none of these."""
    if arch is None:
        return DEFAULT_ARCH
    match = re.fullmatch(r"(?:sm_|compute_)?(\d+)\.?(\d)([a-z]?)", arch)
    if match is None:
        raise UsageError(f"arch must be like 'sm_90', not {arch!r}")
    return f"sm_{match[1]}{match[2]}{match[3]}"


def _host_flags(flags: Sequence[str]) -> list[str]:
    """Flags for nvcc's host compiler."""
    return [part for flag in flags for part in ("-Xcompiler", flag)]
