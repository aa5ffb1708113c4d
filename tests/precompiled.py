"""What small units of tests include, the headers of the host executor, of gradients and of the oracle, compiled once
for all tests: most of what tests wait for is the reading of these.

GCC takes it where a unit is compiled with the same flags, and reads the headers as ever where not.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from cladpy.check.oracle import INCLUDE
from cladpy.diagnostics import ToolchainError
from cladpy.resources import custom_derivatives_dir, include_dirs
from cladpy.toolchain.discovery import find_host_compiler
from cladpy.toolchain.host import fixed_flags

# What units of kernels' gradients begin with, what those of host functions do, with what programs like to include, and
# what those of the oracle do.
GRADIENT = tuple(custom_derivatives_dir() / "cladpy" / name for name in ("host.h", "support.h", "math.h"))
PROGRAM = (
    *(custom_derivatives_dir() / "cladpy" / name for name in ("host.h", "support.h", "program.h", "math.h", "tape.h")),
    *map(Path, ("algorithm", "cmath", "cstdlib", "cstring", "numeric", "utility", "vector")),
)
ORACLE = (custom_derivatives_dir() / "cladpy" / "host.h", INCLUDE / "cladpy_oracle" / "oracle.h")


def _linker() -> str:
    """gold links in a third of the time that GNU's other linker takes. One may not fit the compiler."""
    try:
        tool = find_host_compiler()
    except ToolchainError:
        return ""
    if tool.is_clang or not shutil.which("ld.gold"):
        return ""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "a.cpp"
        source.write_text("int one() { return 1; }\n")
        flags = ["-fuse-ld=gold", "-shared", "-fPIC", "-o", str(source.with_suffix(".so"))]
        done = subprocess.run([tool.path, str(source), *flags], capture_output=True, check=False)
    return "" if done.returncode else " -fuse-ld=gold"


LINKER = _linker()
# What all tests compile with: no optimisation, and no call of a math function folded.
EFFORT = f"-O0 -fno-builtin{LINKER}"


@functools.cache
def flags(headers: tuple[Path, ...] = GRADIENT, effort: str = EFFORT) -> str:
    """What makes a compiler find them, in units that are compiled with `effort`; nothing where there is no GCC."""
    try:
        tool = find_host_compiler()
    except ToolchainError:
        return ""
    if tool.is_clang:
        return ""
    folder = Path(tempfile.gettempdir()) / f"cladpy-tests-{os.getuid()}-{_key(tool.path, headers, effort)}"
    if not folder.exists():
        _compile(tool.path, [*fixed_flags(tool), *effort.split()], headers, folder)
    return f"-I {folder}"


def _key(compiler: str, headers: tuple[Path, ...], effort: str) -> str:
    digest = hashlib.sha256(subprocess.run([compiler, "--version"], capture_output=True, check=True).stdout)
    digest.update(effort.encode() + str(headers).encode())
    for header in (
        *filter(Path.is_absolute, headers),
        *sorted(custom_derivatives_dir().rglob("*.h")),
        *sorted(INCLUDE.rglob("*.h")),
    ):
        digest.update(str(header).encode() + header.read_bytes())
    return digest.hexdigest()[:16]


def _compile(compiler: str, fixed: list[str], headers: tuple[Path, ...], folder: Path) -> None:
    """Into a folder of its own first: several workers may begin at once."""
    made = Path(tempfile.mkdtemp(dir=folder.parent))
    header = made / "cladpy" / "host.h"
    header.parent.mkdir()
    # the name by which every unit includes its first header
    header.write_text("".join(f"#include {_quoted(part)}\n" for part in headers))
    places = [part for place in (*include_dirs("host"), INCLUDE) for part in ("-I", str(place))]
    command = [compiler, "-std=c++17", "-O2", *fixed, *places, "-x", "c++-header", str(header)]
    subprocess.run([*command, "-o", f"{header}.gch"], check=True)
    with contextlib.suppress(OSError):  # another worker was quicker
        made.rename(folder)


def _quoted(header: Path) -> str:
    return f'"{header}"' if header.is_absolute() else f"<{header}>"
