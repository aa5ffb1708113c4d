"""Whether a program is compiled for the threads of OpenMP: where one of its files has a directive, and the compiler has
what runs them."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from cladpy.diagnostics import ToolchainError
from cladpy.targets import TARGETS
from cladpy.toolchain import cache
from cladpy.toolchain.build import VARIABLES
from cladpy.toolchain.discovery import Place
from cladpy.toolchain.predefined import identity_of, place_of

_DIRECTIVE = re.compile(rb"#[ \t]*pragma[ \t]+omp\b|\b_Pragma\b(?=.*\bomp\b)", re.DOTALL)
_SECONDS = 60
_PROGRAM = "#include <omp.h>\nint asked() { return omp_get_max_threads(); }\n"


def has_directives(texts: Iterable[bytes]) -> bool:
    """Whether a program may have directives of OpenMP."""
    return any(_DIRECTIVE.search(text) for text in texts)


def openmp_flags(target: str) -> tuple[str, ...]:
    """What makes the compiler for a target mind them; empty where it cannot, and for HIP."""
    flags = TARGETS[target].openmp
    if not flags:
        return ()
    try:
        place = place_of(target)
    except ToolchainError:
        return ()
    environment = tuple(os.environ.get(name, "") for name in (*VARIABLES, "PATH"))
    return flags if _builds(target, place, flags, environment) else ()


_built: dict[tuple[str, ...], bool] = {}


def _builds(target: str, place: Place, flags: tuple[str, ...], environment: tuple[str, ...]) -> bool:
    """Whether the compiler links such a program, from the cache where that has been tried before."""
    asked = (target, place.path, *place.flags, *flags, *environment)
    if asked not in _built:
        _built[asked] = _kept(cache.digest_of(["openmp", *identity_of(target), *asked]), lambda: _try(place, flags))
    return _built[asked]


def _kept(key: str, found: Callable[[], bool]) -> bool:
    try:
        kept = cache.look_up(key)
        if kept is not None:
            return kept.read_text(encoding="utf-8") == "yes"
        answer = found()
        with cache.building() as folder:
            (folder / "answer").write_text("yes" if answer else "no", encoding="utf-8")
            cache.store(key, folder / "answer")
        return answer
    except (ToolchainError, OSError):
        return found()


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
