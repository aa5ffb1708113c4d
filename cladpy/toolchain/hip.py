"""HIP to a library with device code, by hipcc."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Sequence
from pathlib import Path

from cladpy.diagnostics import UsageError
from cladpy.resources import include_dirs, thrust_shim_dir
from cladpy.source import Source
from cladpy.toolchain.build import EXPORTS, SOURCE_FLAGS, Unit, build, run_compiler, user_flags
from cladpy.toolchain.discovery import find_hipcc

DEFAULT_ARCH = "gfx90a"


def compile_hip(
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
    """Compiles `text` to a shared library with device code for `arch` (gfx90a if None); the library's path.

    `source` is the user's program, which `text` may include by the last part of its name, for CUDA or for HIP: headers
    named as CUDA's give HIP's runtime. `dependencies` are all files that the compilation reads (the cache watches
    them). The library needs libamdhip64, which is the process's. CLADPY_HIPCC_FLAGS adds flags. Raises ToolchainError
    where there is no hipcc, or where it fails.
    """
    tool = find_hipcc()
    flags = [
        *hipcc_flags(std, arch),
        *user_flags(include_directories, defines),
        *extra_flags,
        *shlex.split(os.environ.get("CLADPY_HIPCC_FLAGS", "")),
    ]
    places = [part for folder in include_dirs("hip") for part in ("-I", folder)]
    places += ["-idirafter", str(thrust_shim_dir())]  # rocThrust's come first

    def compile_in(folder: Path) -> Path:
        first = [*flags, *places, *SOURCE_FLAGS, "-include", "cuda_runtime.h"]  # as nvcc includes it
        run_compiler(tool, [*first, "-c", "unit.hip", "-o", "unit.o"], folder)
        link = ["-shared", "-Wl,-Bsymbolic", "-Wl,--gc-sections", f"-Wl,--version-script={EXPORTS}"]
        run_compiler(tool, [*link, "unit.o", "-o", "unit.so"], folder)
        return folder / "unit.so"

    return build(Unit(text, source, dependencies), tool, ".hip", [*flags, *places], compile_in)


def hipcc_flags(std: str, arch: str | None) -> list[str]:
    """What every unit is compiled with."""
    return [
        "-x",
        "hip",
        f"-std={std}",
        f"--offload-arch={check_arch(arch)}",
        "-O3",
        # arrays are in memory of the device, which is checked
        "-munsafe-fp-atomics",
        "-fPIC",
        "-ffunction-sections",
        "-fdata-sections",
    ]


def check_arch(arch: str | None) -> str:
    """The architecture, or the default. Raises UsageError for what is none."""
    if arch is None:
        return DEFAULT_ARCH
    if not re.fullmatch(r"gfx[0-9a-f]+(:[a-z]+[+-])*", arch):
        raise UsageError(f"arch must be like 'gfx90a', not {arch!r}")
    return arch
