"""Whether a program is compiled for the threads of OpenMP: where one of its files has a directive, and the compiler has
what runs them."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

from cladpy.diagnostics import ToolchainError
from cladpy.toolchain.build import VARIABLES
from cladpy.toolchain.discovery import Place, host_compiler_place, nvcc_place

_DIRECTIVE = re.compile(rb"#[ \t]*pragma[ \t]+omp\b|\b_Pragma\b(?=.*\bomp\b)", re.DOTALL)
_SECONDS = 60
_PROGRAM = "#include <omp.h>\nint asked() { return omp_get_max_threads(); }\n"


def has_directives(texts: Iterable[bytes]) -> bool:
    """Whether a program may have directives of OpenMP."""
    return any(_DIRECTIVE.search(text) for text in texts)


def openmp_flags(target: str) -> tuple[str, ...]:
    """What makes the compiler for a target mind them; empty where it cannot, and for HIP."""
    flags: tuple[str, ...] = ("-fopenmp",)
    try:
        match target:
            case "host":
                place = host_compiler_place()
            case "cuda":
                place, flags = nvcc_place(), ("-Xcompiler", "-fopenmp")
            case _:
                return ()
    except ToolchainError:
        return ()
    environment = tuple(os.environ.get(name, "") for name in (*VARIABLES, "PATH"))
    return flags if _builds(place, flags, environment) else ()


_built: dict[tuple[str, tuple[str, ...], tuple[str, ...], tuple[str, ...]], bool] = {}


def _builds(place: Place, flags: tuple[str, ...], environment: tuple[str, ...]) -> bool:
    key = (place.path, place.flags, flags, environment)
    if key not in _built:
        _built[key] = _try(place, flags)
    return _built[key]


def _try(place: Place, flags: tuple[str, ...]) -> bool:
    position = ("-Xcompiler", "-fPIC") if "-Xcompiler" in flags else ("-fPIC",)
    with tempfile.TemporaryDirectory(prefix="cladpy-") as folder:
        (Path(folder) / "asked.cpp").write_text(_PROGRAM, encoding="utf-8")
        command = [place.path, *place.flags, *flags, *position, "-shared", "asked.cpp", "-o", "asked.so"]
        try:
            subprocess.run(  # noqa: S603
                command,
                cwd=folder,
                env={**os.environ, **place.environment},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_SECONDS,
                check=True,
            )
        except (OSError, subprocess.SubprocessError):
            return False
    return True
