"""Which Kokkos is here, and programs for it as libraries: by the host's compiler, on the host."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cladpy.diagnostics import ToolchainError
from cladpy.source import Source
from cladpy.toolchain.build import SOURCE_FLAGS, Unit, build, run_compiler, user_flags
from cladpy.toolchain.complaints import complaint
from cladpy.toolchain.discovery import find_host_compiler
from cladpy.toolchain.host import host_flags

_VARIABLE = "Kokkos_ROOT"  # as CMake calls it
_HEADER, _CONFIGURED = "Kokkos_Core.hpp", "KokkosCore_config.h"
_USUAL = (Path("/usr/local/include"), Path("/usr/include"), Path("/usr/include/kokkos"), Path("/usr/include/trilinos"))
_LIBRARIES = re.compile(r"lib((?:trilinos_)?kokkos(?:core|containers))\.(?:so|a|dylib)")
_ENABLED = re.compile(
    r"(?m)^\s*#\s*define\s+KOKKOS_ENABLE_(SERIAL|OPENMP|THREADS|HPX|CUDA|HIP|SYCL|OPENMPTARGET|OPENACC)\b"
)
_VERSION = re.compile(r"(?m)^\s*#\s*define\s+KOKKOS_VERSION\s+(\d+)")
_ON_HOST = ("SERIAL", "OPENMP", "THREADS", "HPX")
KOKKOS_HINT = (
    f"name the folder that Kokkos was installed to by --kokkos PATH or the environment variable {_VARIABLE}; it is "
    "built from https://github.com/kokkos/kokkos, with -DKokkos_ENABLE_OPENMP=ON, for one"
)


@dataclass(frozen=True, slots=True)
class Kokkos:
    """An installation: where its headers and its libraries are, and what it was configured with."""

    headers: Path
    libraries: tuple[tuple[Path, str], ...]  # a folder and a name for the linker; none where headers are all
    release: str
    backends: tuple[str, ...]

    @property
    def runs_on_host(self) -> bool:
        return all(name in _ON_HOST for name in self.backends)

    @property
    def detail(self) -> str:
        with_backends = f" with {', '.join(self.backends)}" if self.backends else ""
        return f"{self.release or 'of unknown version'}{with_backends} at {self.headers}"

    def flags(self) -> list[str]:
        return ["-isystem", str(self.headers), *(["-fopenmp"] if "OPENMP" in self.backends else [])]

    def link_flags(self) -> list[str]:
        found = [f for folder, name in self.libraries for f in (f"-L{folder}", f"-Wl,-rpath,{folder}", f"-l{name}")]
        return [*found, "-ldl"]


def find_kokkos(named: str | None = None) -> Kokkos:
    """The Kokkos in the folder `named`, else in that of Kokkos_ROOT, else in a system's usual places. Raises
    ToolchainError where there is none."""
    root = named or os.environ.get(_VARIABLE)
    folders = [Path(root) / "include", Path(root)] if root else _USUAL
    headers = next((f.absolute() for f in folders if (f / _HEADER).is_file()), None)
    if headers is None:
        where = f"in {root}" if root else "in the usual places"
        raise ToolchainError(f"Kokkos was not found {where}\nhint: {KOKKOS_HINT}")
    configured = headers / _CONFIGURED
    text = configured.read_text(encoding="utf-8", errors="replace") if configured.is_file() else ""
    number = _VERSION.search(text)
    release = (
        "" if number is None else f"{int(number[1]) // 10000}.{int(number[1]) // 100 % 100}.{int(number[1]) % 100}"
    )
    return Kokkos(headers, _libraries(headers.parent), release, tuple(dict.fromkeys(_ENABLED.findall(text))))


def _libraries(root: Path) -> tuple[tuple[Path, str], ...]:
    """In the root of an installation, or in that of a system whose headers lie in a folder of their own."""
    for base in (root, root.parent):
        for folder in (base / "lib", base / "lib64", *sorted((base / "lib").glob("*-linux-gnu*"))):
            files = sorted(folder.iterdir()) if folder.is_dir() else []
            names = dict.fromkeys(found[1] for f in files if (found := _LIBRARIES.fullmatch(f.name)))
            if names:
                return tuple((folder, name) for name in sorted(names, key=lambda n: n.endswith("core")))
    return ()


def compile_kokkos(
    text: str,
    kokkos: Kokkos,
    *,
    source: Source | None = None,
    dependencies: Sequence[str | Path] = (),
    std: str = "c++17",
    include_directories: Sequence[str | Path] = (),
    defines: Sequence[tuple[str, str]] = (),
) -> Path:
    """Compiles a program for Kokkos to a shared library; the library's path. Raises ToolchainError."""
    if not kokkos.runs_on_host:
        raise ToolchainError(
            f"this Kokkos runs loops on a device ({', '.join(kokkos.backends)}), which has no arrays of NumPy's\n"
            f"hint: {KOKKOS_HINT}"
        )
    tool = find_host_compiler()
    # statics of Kokkos' own are one for all libraries, as they are in a program
    flags = [
        *host_flags(std),
        "-ffp-contract=off",
        "-fPIC",
        "-pthread",
        *user_flags(include_directories, defines),
    ]
    flags += kokkos.flags()
    unit = Unit(text, source, dependencies)

    def explained(compiler: str, output: str) -> ToolchainError | None:
        hint = f"it is compiled with Kokkos {kokkos.detail}; --kokkos PATH or {_VARIABLE} names another"
        return None if source is None else complaint(output, compiler, text, source, dependencies, hint)

    def compile_in(folder: Path) -> Path:
        arguments = [*flags, *SOURCE_FLAGS, "-shared", "unit.cpp", "-o", "unit.so", *kokkos.link_flags()]
        run_compiler(tool, arguments, folder, explained)
        return folder / "unit.so"

    return build(unit, tool, ".cpp", [*flags, *kokkos.link_flags(), kokkos.release, *kokkos.backends], compile_in)
